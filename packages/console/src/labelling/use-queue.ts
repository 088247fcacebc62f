import type { DatasetPicture } from '@lynceus/client';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../service/client.js';

const picturesPerPage = 100;
/** So many pictures before the end of what is there the next page is asked for. */
const aheadPictures = 20;

const keyOf = (datasetId: number) => ['labelling', datasetId];

/**
 * The pictures of a dataset in the order in which they are walked through, which does not change while somebody labels:
 * asked for page by page, as far as the one that is wanted and a little farther.
 */
export function useQueue(datasetId: number, wantedId: number | null) {
  const client = useClient();
  const list = useInfiniteQuery({
    queryKey: keyOf(datasetId),
    queryFn: ({ pageParam, signal }) =>
      client.datasetPictures.page(datasetId, { cursor: pageParam, limit: picturesPerPage, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const pictures = list.data ?? [];
  const index = wantedId === null ? -1 : pictures.findIndex(({ id }) => id === wantedId);
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const isWanting = wantedId !== null && (index < 0 || index >= pictures.length - aheadPictures);
  useEffect(() => {
    if (isWanting && hasNextPage && !isFetchingNextPage && !isError) fetchNextPage();
  }, [isWanting, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);

  /** The next one that nobody looked at, after `from` and then from the beginning; null when all are labelled. */
  const findUnlabelled = async (from: number, isLabelled: (picture: DatasetPicture) => boolean) => {
    const isOpen = (picture: DatasetPicture) => !isLabelled(picture);
    let all = pictures;
    let more = hasNextPage;
    for (;;) {
      const found = all.slice(from + 1).find(isOpen);
      if (found) return found.id;
      if (!more) return all.slice(0, from).find(isOpen)?.id ?? null;
      const answer = await fetchNextPage({ throwOnError: true });
      all = answer.data ?? all;
      more = answer.hasNextPage;
    }
  };
  return { list, pictures, index, findUnlabelled, isComplete: list.isSuccess && !hasNextPage };
}

type Queue = InfiniteData<{ data: readonly DatasetPicture[]; next_cursor: string | null }>;

/** The pictures of the queue as the service last told them here. */
export function useKnownPictures(datasetId: number) {
  const queries = useQueryClient();
  return {
    /** Puts a picture, as the service now has it, into the queue. */
    update: (picture: DatasetPicture): void => {
      queries.setQueryData<Queue>(
        keyOf(datasetId),
        (now) =>
          now && {
            ...now,
            pages: now.pages.map((page) => ({
              ...page,
              data: page.data.map((one) => (one.id === picture.id ? picture : one)),
            })),
          },
      );
    },
  };
}
