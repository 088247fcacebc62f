import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { Job } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { readEvents } from '../service/read-events.js';

export interface JobFilter {
  /** Such as `dataset-import`. */
  readonly kind?: string | undefined;
  /** Such as the id of a dataset. */
  readonly subject?: string | undefined;
}

const path = '/api/jobs';
const pathOf = (id: string) => `${path}/${toPathPart('id', id)}`;

const filter = { kind: 'optional', subject: 'optional' } as const;

/** Work that continues after the request that started it. */
export function createJobs(send: Send) {
  const page = async (options: JobFilter & PageOptions = {}): Promise<Page<Job>> => {
    const { kind, subject, limit, cursor } = options;
    return ask(send, { method: 'GET', path, query: { kind, subject, limit, cursor } }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All jobs, the newest first, for `for await`. */
    list: (options: JobFilter & ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** One job: how far it is, and what came of it. */
    read: async (id: string, options: CallOptions = {}): Promise<Job> =>
      ask(send, { method: 'GET', path: pathOf(id) }, options),

    /** The job with every change until it has ended, for `for await`; the time limit is for the first word. */
    async *follow(id: string, options: CallOptions = {}): AsyncGenerator<Job, void, undefined> {
      const call = { method: 'GET', path: `${pathOf(id)}/events`, wants: 'events' } as const;
      const stream = await ask<ReadableStream<Uint8Array>>(send, call, options);
      for await (const { data } of readEvents(stream)) yield data as Job;
    },

    /** Cancels a job: a waiting one at once, a running one soon. */
    cancel: async (id: string, options: CallOptions = {}): Promise<Job> =>
      ask(send, { method: 'DELETE', path: pathOf(id) }, options),
  };
  return checked('jobs', calls, {
    page: [0, { ...filter, ...paged }],
    list: [0, { ...filter, ...listed }, true],
    follow: [1, {}, true],
  });
}
