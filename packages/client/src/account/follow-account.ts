import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { readEvents } from '../service/read-events.js';
import type { AccountEvent } from '../types/events.js';

/**
 * What changes in the account, for `for await`, until the loop is left or the connection lost; the time limit is for the first
 * word. Whoever follows again begins with `open`.
 */
export function createFollowAccount(send: Send) {
  return async function* follow(options: CallOptions = {}): AsyncGenerator<AccountEvent, void, undefined> {
    const call = { method: 'GET', path: '/api/events', wants: 'events' } as const;
    const stream = await ask<ReadableStream<Uint8Array>>(send, call, options);
    for await (const event of readEvents(stream)) yield event as AccountEvent;
  };
}
