import type { Page } from '@lynceus/client';
import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** The end of a list with more pages: the next page is loaded when it scrolls into view, or by the button. */
export function More({
  list,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  const { t } = useTranslation();
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (entry?.isIntersecting && hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [entry?.isIntersecting, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <Center ref={ref} py="md">
      <Button variant="subtle" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {t('kit.more')}
      </Button>
    </Center>
  );
}

/** A list of the service that grows page by page. A searched list shows the earlier results until the answer arrives. */
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
