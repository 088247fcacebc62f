import type { Page } from '@lynceus/client';
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

/** A list of the service that grows page by page. One that is searched shows what was found before until the answer is there. */
export function usePages<Item>(
  queryKey: QueryKey,
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  { isSearched = false }: { readonly isSearched?: boolean } = {},
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    ...(isSearched ? { placeholderData: keepPreviousData } : {}),
  });
}
