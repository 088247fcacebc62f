import type { Page } from '@lynceus/client';
import { Button, Group, Text } from '@mantine/core';
import { mdiChevronLeft, mdiChevronRight } from '@mdi/js';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.js';
import { useFormat } from './use-format.js';

/** Buttons to page through a list; hidden where there is only one page. */
export function Pager({ pager }: { pager: Omit<ReturnType<typeof usePager>, 'query'> }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { pageNumber, isLast, goForward, goBack } = pager;
  if (pageNumber === 1 && isLast) return null;
  return (
    <Group justify="center" py="md" component="nav" aria-label={t('kit.pages')}>
      <Button
        variant="default"
        size="sm"
        disabled={pageNumber === 1}
        onClick={goBack}
        leftSection={<Icon path={mdiChevronLeft} size={18} />}
      >
        {t('kit.newer')}
      </Button>
      <Text size="sm" aria-live="polite">
        {t('kit.page', { number: number(pageNumber) })}
      </Text>
      <Button
        variant="default"
        size="sm"
        disabled={isLast}
        onClick={goForward}
        rightSection={<Icon path={mdiChevronRight} size={18} />}
      >
        {t('kit.older')}
      </Button>
    </Group>
  );
}

/**
 * A list of the service shown one page at a time: for lists that change while they are shown, where a growing list would be
 * refetched as a whole. Another `queryKey` starts at the first page.
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
    goForward: () =>
      next !== null && !query.isPlaceholderData && setWalked({ list, cursors: [...cursors, next] }),
    goBack: () => setWalked({ list, cursors: cursors.slice(0, -1) }),
  };
}
