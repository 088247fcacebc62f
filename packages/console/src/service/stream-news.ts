import type { AccountEvent, Page, Stream } from '@lynceus/client';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';

/** The data of the event `stream_state`. */
export type StreamNews = Extract<AccountEvent, { readonly event: 'stream_state' }>['data'];

/** What is known of a stream, with its news; the same object when they are of another. */
function withNews(stream: Stream, { stream_id, ...news }: StreamNews): Stream {
  return stream.id === stream_id ? { ...stream, state: { ...stream.state, ...news } } : stream;
}

/** Whether the news say no more than what a running stream says every few seconds. */
function isOnlyProgress({ state }: Stream, news: StreamNews): boolean {
  return state.state === news.state && state.reason === news.reason;
}

/**
 * Shows the news of a stream where it is known. Answers whether streams should be read again: something changed that the
 * news do not say, such as since when, or the stream is a new one.
 */
export function showStreamNews(queries: QueryClient, news: StreamNews): boolean {
  let [isKnown, isStale] = [false, false];
  const update = (stream: Stream) => {
    if (stream.id === news.stream_id) isKnown = true;
    if (stream.id === news.stream_id && !isOnlyProgress(stream, news)) isStale = true;
    return withNews(stream, news);
  };
  queries.setQueryData<Stream>(['streams', 'one', news.stream_id], (stream) => stream && update(stream));
  queries.setQueryData<InfiniteData<Page<Stream>>>(
    ['streams', 'list'],
    (list) =>
      list && { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.map(update) })) },
  );
  const offered = queries.getQueryData<Page<Stream>>(['streams', 'offered']);
  return isStale || !(isKnown || offered?.data.some(({ id }) => id === news.stream_id));
}
