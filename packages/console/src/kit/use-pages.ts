import type { Page } from '@lynceus/client';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

/** A list of the service that grows page by page. */
export function usePages<Item>(
  queryKey: QueryKey,
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });
}
