import { useQuery, useQueryClient } from '@tanstack/react-query';

const queryKey = ['shown-key'];

/**
 * The key that was last created on this page, to be filled into examples: the service never shows it
 * again. It is kept in memory only, until the page is closed or the user signs out.
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
