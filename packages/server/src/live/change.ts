import type { Job } from '../service/jobs/job.js';
import type { DropFileState } from '../storage/tables/drops.js';
import type { StreamEvent } from '../streams/events.js';
import type { ShownState } from '../streams/stream-states.js';

/** What became different in an account, for who has its page open. */
export type Change =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'drop_file'; readonly file: ChangedFile }
  | { readonly kind: 'analysis'; readonly analysis: NewAnalysis }
  | { readonly kind: 'usage'; readonly callsUsed: number; readonly callLimit: number | null }
  | { readonly kind: 'stream_state'; readonly streamId: number; readonly state: ShownState }
  | { readonly kind: 'stream_event'; readonly event: StreamEvent }
  /** More changed than is sent one by one. */
  | { readonly kind: 'refetch' };

interface ChangedFile {
  readonly id: string;
  readonly dropId: number;
  readonly name: string;
  readonly state: DropFileState;
}

interface NewAnalysis {
  readonly fileid: string;
  readonly operation: string;
  readonly createdAt: number;
}
