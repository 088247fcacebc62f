import type { Page } from '@lynceus/client';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * A list of the service shown a page at a time: for lists that change while they are looked at, of which a growing one would be
 * asked for again as a whole. Another `queryKey` begins at the first page.
 */
export function usePager<Item>(
  queryKey: QueryKey,
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
) {
  const list = JSON.stringify(queryKey);
  const [walked, setWalked] = useState<{ list: string; cursors: readonly string[] }>({ list, cursors: [] });
  const cursors = walked.list === list ? walked.cursors : [];
  const cursor = cursors.at(-1);
  const query = useQuery({
    queryKey: [...queryKey, 'page', cursor ?? null],
    queryFn: ({ signal }) => readPage(cursor, signal),
    placeholderData: keepPreviousData,
  });
  const next = query.data?.next_cursor ?? null;
  return {
    query,
    pageNumber: cursors.length + 1,
    isLast: next === null,
    goOn: () => next !== null && !query.isPlaceholderData && setWalked({ list, cursors: [...cursors, next] }),
    goBack: () => setWalked({ list, cursors: cursors.slice(0, -1) }),
  };
}
