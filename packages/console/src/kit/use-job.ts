import type { Job } from '@lynceus/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../service/client.js';

/** For times in which no event comes through, such as behind a proxy that holds them back. */
const askAgainMs = 1500;

export function isUnderWay(job: Pick<Job, 'state'>): boolean {
  return job.state === 'waiting' || job.state === 'running';
}

/** A job as it is, until it has ended. */
export function useJob(id: string | null, known?: Job) {
  const client = useClient();
  return useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => client.jobs.read(id ?? '', { signal }),
    enabled: id !== null,
    initialData: known,
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : askAgainMs),
  });
}
