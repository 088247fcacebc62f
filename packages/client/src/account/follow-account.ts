import type { Account, DropFileState, Job, StreamEvent, StreamState } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { readEvents } from '../service/read-events.js';

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

/**
 * What changes in the account, for `for await`, until the loop is left or the connection lost; the time limit is for the first
 * word. A new connection begins with `open`.
 */
export function createFollowAccount(send: Send) {
  const follow = async function* (options: CallOptions = {}): AsyncGenerator<AccountEvent, void, undefined> {
    const call = { method: 'GET', path: '/api/events', wants: 'events' } as const;
    const stream = await ask<ReadableStream<Uint8Array>>(send, call, options);
    for await (const event of readEvents(stream)) yield event as AccountEvent;
  };
  return checked('', { follow }, { follow: [0, {}, true] }).follow;
}
