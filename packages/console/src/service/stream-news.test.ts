import type { Stream } from '@lynceus/client';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { type StreamNews, showStreamNews } from './stream-news.js';

const state = {
  ...{ state: 'running', reason: null, since: '2026-01-01T00:00:00Z', fps: 4, width: 640, height: 360 },
  last_frame_at: '2026-01-01T00:00:00Z',
} as const;
const streams = [
  { id: 1, state },
  { id: 2, state },
] as readonly Partial<Stream>[] as readonly Stream[];
const [first] = streams;
const news: StreamNews = {
  ...{ stream_id: 1, state: 'running', reason: null, fps: 5 },
  last_frame_at: '2026-01-01T00:00:05Z',
};

function known() {
  const queries = new QueryClient();
  queries.setQueryData(['streams', 'list'], {
    pages: [{ data: streams, next_cursor: null }],
    pageParams: [],
  });
  queries.setQueryData(['streams', 'one', 1], first);
  return queries;
}

test('the progress of a stream is shown without a request', () => {
  const queries = known();
  expect(showStreamNews(queries, news)).toBe(false);
  expect(queries.getQueryData(['streams', 'one', 1])).toMatchObject({ state: { fps: 5, width: 640 } });
  const list = queries.getQueryData(['streams', 'list']);
  expect(list).toMatchObject({ pages: [{ data: [{ state: { fps: 5 } }, { state: { fps: 4 } }] }] });
});

test('another state is shown at once, and read again', () => {
  const queries = known();
  expect(showStreamNews(queries, { ...news, state: 'away', reason: 'it does not answer' })).toBe(true);
  expect(queries.getQueryData(['streams', 'one', 1])).toMatchObject({ state: { state: 'away' } });
});

test('news of a stream that is not known yet are read', () => {
  const queries = known();
  expect(showStreamNews(queries, { ...news, stream_id: 3 })).toBe(true);
  expect(queries.getQueryData(['streams', 'one', 3])).toBeUndefined();
});

test('a stream whose name is known by the filters of events is not read again', () => {
  const queries = new QueryClient();
  queries.setQueryData(['streams', 'offered'], { data: streams, next_cursor: null });
  expect(showStreamNews(queries, news)).toBe(false);
});
