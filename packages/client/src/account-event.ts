import type { Account, DropFileState, Job, StreamEvent, StreamState } from './generated/api-types.js';

/** What changed in the account. */
export type AccountEvent =
  /** The first: what was read before may have changed, so read it again. */
  | { readonly event: 'open'; readonly data: object }
  | { readonly event: 'job'; readonly data: Job }
  | {
      readonly event: 'drop_file';
      readonly data: {
        readonly id: string;
        readonly drop_id: number;
        readonly name: string;
        readonly state: DropFileState;
      };
    }
  | {
      readonly event: 'analysis';
      readonly data: { readonly fileid: string; readonly operation: string; readonly created_at: string };
    }
  /** Calls of the account. */
  | { readonly event: 'usage'; readonly data: Account['calls'] }
  | {
      readonly event: 'stream_state';
      readonly data: {
        readonly stream_id: number;
        readonly state: StreamState;
        readonly reason: string | null;
        readonly fps: number;
        readonly last_frame_at: string | null;
      };
    }
  | { readonly event: 'stream_event'; readonly data: StreamEvent }
  /** More changed than is sent one by one: read again what is shown. */
  | { readonly event: 'refetch'; readonly data: object }
  /** Nothing changed for a while. */
  | { readonly event: 'ping'; readonly data: object };
