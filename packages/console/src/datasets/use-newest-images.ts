import { useQuery } from '@tanstack/react-query';
import { useClient } from '../service/client.js';

export function useNewestImages(datasetId: number, limit: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['dataset-images', datasetId, 'newest', limit],
    queryFn: async ({ signal }) => (await client.datasetImages.page(datasetId, { limit, signal })).data,
  });
}
