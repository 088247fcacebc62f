import type { Page } from '@lynceus/client';
import { Button } from '@mantine/core';
import { mdiPlus } from '@mdi/js';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Answered } from './answered.js';
import { Empty } from './empty.js';
import { Icon } from './icon.js';
import { More, type usePages } from './more.js';
import { PageHead } from './page-head.js';
import { Pager, type usePager } from './pager.js';

type Grown<Item> = ReturnType<typeof usePages<Item>>;
type Paged<Item> = ReturnType<typeof usePager<Item>>;

/** A list of the service: a loader or a fault, an empty state, or the items and the way to more of them. */
export function DataList<Item>({
  list,
  empty,
  children,
}: {
  /** Of `usePages`, which grows, or of `usePager`. */
  list: Grown<Item> | Paged<Item>;
  /** An `Empty`, or a text. */
  empty: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
}) {
  const isPaged = 'query' in list;
  const query: Pick<UseQueryResult<readonly Item[] | Page<Item>>, 'data' | 'error' | 'refetch'> = isPaged
    ? list.query
    : list;
  return (
    <Answered query={query}>
      {(answer) => {
        const items = 'next_cursor' in answer ? answer.data : answer;
        if (items.length === 0) return empty;
        return (
          <>
            {children(items)}
            {isPaged ? <Pager pager={list} /> : <More list={list} />}
          </>
        );
      }}
    </Answered>
  );
}

/** A page with a list. What creates an item stands in its head, and while there is none in the empty state. */
export function ListPage<Item>({
  head,
  list,
  create,
  actions,
  empty: { children: help, ...empty },
  children,
}: {
  head: Omit<ComponentProps<typeof PageHead>, 'children'>;
  list: Grown<Item>;
  /** False for who may not. */
  create: ReactNode;
  /** Further actions on the whole page. */
  actions?: ReactNode;
  empty: ComponentProps<typeof Empty>;
  children: (items: readonly Item[]) => ReactNode;
}) {
  return (
    <>
      <PageHead {...head}>
        {actions}
        {list.data && list.data.length > 0 && create}
      </PageHead>
      <DataList
        list={list}
        empty={
          <Empty {...empty}>
            {create}
            {help}
          </Empty>
        }
      >
        {children}
      </DataList>
    </>
  );
}

/** The button of a page that creates one more. */
export function CreateButton({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={onClick}>
      {text}
    </Button>
  );
}
