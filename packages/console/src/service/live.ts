import type { Job } from '@lynceus/client';
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { serviceAddress } from './addresses.js';
import { sessionKey } from './session.js';
import { type StreamNews, showStreamNews } from './stream-news.js';

/** The resource of a kind of job: the first element of query keys. The subject of the job is the second. */
const worksOn: Readonly<Record<string, string>> = {
  'dataset-import': 'datasets',
  'train-model': 'models',
  'compare-versions': 'models',
  're-embed-perception': 'perceptions',
  video: 'videos',
};

/** The queries that an event makes stale: the first elements of their keys. */
const affected: Readonly<Record<string, readonly string[]>> = {
  drop_file: ['drops', 'drop-files'],
  usage: ['account', 'usage'],
  analysis: ['files'],
  stream_event: ['stream-tracks', 'stream-events'],
};

/** Events within this time lead to one request. */
const gatherMs = 400;
/** The delay before a refused stream is requested again. */
const againMs = 3000;

/** Follows the account's events to keep pages up to date. After a lost connection everything is refetched. */
export function useLive(): void {
  const queries = useQueryClient();
  useEffect(() => follow(queries), [queries]);
}

/** Returns a function that stops it. */
function follow(queries: QueryClient): () => void {
  const due = new Map<string, ReturnType<typeof setTimeout>>();
  const later = (name: string, work: () => void, ms: number) => {
    if (due.has(name)) return;
    const timer = setTimeout(() => {
      due.delete(name);
      work();
    }, ms);
    due.set(name, timer);
  };
  const renew = (queryKey: QueryKey) =>
    later(JSON.stringify(queryKey), () => queries.invalidateQueries({ queryKey }), gatherMs);
  let isOld = false;
  let events: EventSource;
  const open = () => {
    events = new EventSource(`${serviceAddress}/api/events`);
    // The service sends this event with every connection: after a lost connection, all data is stale.
    events.addEventListener('open', (event) => {
      if (!(event instanceof MessageEvent)) return;
      if (isOld) queries.invalidateQueries();
      isOld = true;
    });
    events.addEventListener('refetch', () => queries.invalidateQueries());
    events.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const job: Job = JSON.parse(data);
      const key = ['jobs', job.id];
      staleAfter(job, queries.getQueryData<Job>(key)).forEach(renew);
      queries.setQueryData(key, job);
    });
    events.addEventListener('stream_state', ({ data }: MessageEvent<string>) => {
      const news: StreamNews = JSON.parse(data);
      if (showStreamNews(queries, news)) renew(['streams']);
    });
    for (const [kind, names] of Object.entries(affected)) {
      events.addEventListener(kind, () => {
        for (const name of names) renew([name]);
      });
    }
    // Browsers reconnect after a lost connection, but give up when they are refused: by a proxy whose service
    // restarts, with too many open pages, or after the session has ended, which the query of the session detects.
    events.addEventListener('error', () => {
      if (events.readyState !== EventSource.CLOSED) return;
      isOld = true;
      queries.invalidateQueries({ queryKey: sessionKey });
      later('again', open, againMs);
    });
  };
  open();
  return () => {
    events.close();
    for (const timer of due.values()) clearTimeout(timer);
  };
}

/** The queries that an event of a job makes stale: after a step, those of its subject; after its start or end, all of its resource. */
export function staleAfter(job: Job, known: Job | undefined): readonly QueryKey[] {
  const resource = worksOn[job.kind];
  if (known?.state !== job.state) return resource === undefined ? [['jobs']] : [['jobs'], [resource]];
  // A training run changes its model only when it ends.
  if (resource === undefined || resource === 'models') return [];
  return [[resource, Number(job.subject)]];
}
