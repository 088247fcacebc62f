import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../service/client.js';

/** As many as a card has room for. */
const shown = 6;

/** Those who were added last and have an image. */
export function useNewestPeople(modelId: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['faces', 'newest', modelId],
    queryFn: ({ signal }) => client.people.page(modelId, { limit: shown * 2, signal }),
    select: ({ data }) => data.filter(({ image_id }) => image_id !== null).slice(0, shown),
  });
}
