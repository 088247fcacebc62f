import { useQuery } from '@tanstack/react-query';
import { useClient } from '../service/client.js';

export function useNewestPictures(datasetId: number, limit: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['dataset-pictures', datasetId, 'newest', limit],
    queryFn: async ({ signal }) => (await client.datasetPictures.page(datasetId, { limit, signal })).data,
  });
}
