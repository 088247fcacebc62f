import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { renderHtml } from '../fixtures/render.js';
import { ListPage } from './data-list.js';
import { usePages } from './more.js';

function Things({ mayCreate }: { mayCreate: boolean }) {
  const list = usePages<string>(['things'], async () => ({ data: [], next_cursor: null }));
  return (
    <ListPage
      head={{ title: 'Things' }}
      list={list}
      create={mayCreate && <button type="button">Create</button>}
      empty={{ icon: '', text: 'Nothing yet', children: 'See Help' }}
    >
      {(items) => items.join('+')}
    </ListPage>
  );
}

function renderList(
  data: readonly string[] | null,
  { mayCreate = true, hasMore = false }: { mayCreate?: boolean; hasMore?: boolean } = {},
) {
  const queries = new QueryClient();
  const page = { data, next_cursor: hasMore ? 'next' : null };
  if (data) queries.setQueryData(['things'], { pages: [page], pageParams: [undefined] });
  return renderHtml(<Things mayCreate={mayCreate} />, queries);
}

const countOf = (html: string, part: string) => html.split(part).length - 1;

test('a list that is loading shows that, and no empty state', () => {
  const html = renderList(null);
  expect(html).toContain('role="status"');
  expect(html).not.toContain('Create');
  expect(html).not.toContain('Nothing yet');
});

test('an empty list says so, with one button that creates, and help after it', () => {
  const html = renderList([]);
  expect(html).toMatch(/Nothing yet.*Create.*See Help/s);
  expect(countOf(html, 'Create')).toBe(1);
});

test('a list with items has the button that creates above them', () => {
  const html = renderList(['a', 'b']);
  expect(html).toMatch(/Create.*a\+b/s);
  expect(countOf(html, 'Create')).toBe(1);
  expect(html).not.toContain('Nothing yet');
});

test('a list with more pages ends in a button that loads them', () => {
  expect(countOf(renderList(['a']), '<button')).toBe(1);
  expect(countOf(renderList(['a'], { hasMore: true }), '<button')).toBe(2);
});

test('without the right to create there is no button', () => {
  expect(renderList([], { mayCreate: false })).not.toContain('Create');
  expect(renderList(['a'], { mayCreate: false })).not.toContain('Create');
});
