import type { Job } from '@lynceus/client';
import { useQuery } from '@tanstack/react-query';
import { useJob } from '../../kit/use-job.js';
import { useClient } from '../../service/client.js';

/** The newest training of a model as it is now; null where there was none, or it is not known yet. */
export function useCurrentRun(modelId: number): Job | null {
  const client = useClient();
  const { data: newest = null } = useQuery({
    queryKey: ['jobs', 'train-model', modelId, 'newest'],
    queryFn: async ({ signal }) =>
      (await client.modelRuns.page(modelId, { limit: 1, signal })).data[0] ?? null,
  });
  const { data: run } = useJob(newest?.id ?? null, newest ?? undefined);
  return run ?? newest;
}
