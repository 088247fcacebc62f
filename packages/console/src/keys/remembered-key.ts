import { useQuery, useQueryClient } from '@tanstack/react-query';

const queryKey = ['shown-key'];

/**
 * The key that was made last on this page, so that examples can have it filled in: the service itself never shows it
 * again. Kept in memory alone, until the page is left or the user signs out.
 */
export function useRememberedKey(): string | null {
  return useQuery<string | null>({
    queryKey,
    queryFn: () => null,
    initialData: null,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;
}

export function useRememberKey(): (key: string) => void {
  const queries = useQueryClient();
  return (key) => queries.setQueryData(queryKey, key);
}
