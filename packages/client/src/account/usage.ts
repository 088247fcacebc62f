import type { UsagePage, UsageSums } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { type ListOptions, listed, type PageOptions, paged, walkPages } from './pages.js';

export interface UsageFilter {
  /** The first day, such as `2026-01-31` (UTC); with neither it nor `to`, the last 30 days. */
  readonly from?: string | undefined;
  /** The last day. */
  readonly to?: string | undefined;
  /** Such as `v1.predict_image`. */
  readonly operation?: string | undefined;
  readonly keyId?: number | undefined;
}

const filter = { from: 'optional', to: 'optional', operation: 'optional', keyId: 'optional' } as const;

/** Calls that counted, by UTC day, key and operation. */
export function createUsage(send: Send) {
  const page = async (options: UsageFilter & PageOptions = {}): Promise<UsagePage> => {
    const { from, to, operation, keyId, limit, cursor } = options;
    const query = { from, to, operation, key_id: keyId, limit, cursor };
    return ask(send, { method: 'GET', path: '/api/usage', query }, options);
  };
  const calls = {
    /** The sums of every day, operation or key, in one answer. */
    sums: async (
      groupBy: UsageSums['group_by'],
      options: UsageFilter & CallOptions = {},
    ): Promise<UsageSums> => {
      const { from, to, operation, keyId } = options;
      const query = { from, to, operation, key_id: keyId, group_by: groupBy };
      return ask(send, { method: 'GET', path: '/api/usage', query }, options);
    },

    /** One page of `list`, with the total of all pages. */
    page,

    /** All rows, the newest day first, for `for await`. */
    list: (options: UsageFilter & ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),
  };
  return checked('usage', calls, {
    sums: [1, filter],
    page: [0, { ...filter, ...paged }],
    list: [0, { ...filter, ...listed }, true],
  });
}
