import type { Job } from '@lynceus/client';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { staleAfter } from './job-news.js';
import { serviceAddress } from './place.js';

/** Which answers are old news once an event of this kind came: the first parts of their query keys. */
const affected: Readonly<Record<string, readonly string[]>> = {
  drop_file: ['drops', 'drop-files'],
  usage: ['account', 'usage'],
  analysis: ['files'],
};

/** Time in which many events of a kind lead to one question. */
const gatherMs = 400;

/** Follows the account's events, so that pages show what is. After a break everything is asked again. */
export function useLive(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const events = new EventSource(`${serviceAddress}/api/events`);
    const due = new Map<string, ReturnType<typeof setTimeout>>();
    const renew = (queryKey: QueryKey) => {
      const name = JSON.stringify(queryKey);
      if (due.has(name)) return;
      const timer = setTimeout(() => {
        due.delete(name);
        queries.invalidateQueries({ queryKey });
      }, gatherMs);
      due.set(name, timer);
    };
    let wasOpen = false;
    // The service's own event of this name comes here as well, with every connection: after the first, all is old.
    events.addEventListener('open', (event) => {
      if (!(event instanceof MessageEvent)) return;
      if (wasOpen) queries.invalidateQueries();
      wasOpen = true;
    });
    events.addEventListener('refetch', () => queries.invalidateQueries());
    events.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const job: Job = JSON.parse(data);
      const key = ['jobs', job.id];
      staleAfter(job, queries.getQueryData<Job>(key)).forEach(renew);
      queries.setQueryData(key, job);
    });
    for (const [kind, names] of Object.entries(affected)) {
      events.addEventListener(kind, () => {
        for (const name of names) renew([name]);
      });
    }
    return () => {
      events.close();
      for (const timer of due.values()) clearTimeout(timer);
    };
  }, [queries]);
}
