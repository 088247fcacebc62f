import type { DatasetImage } from '@lynceus/client';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../service/client.js';

const imagesPerPage = 100;
/** The next page is requested this many images before the end of the list. */
const aheadImages = 20;

const keyOf = (datasetId: number) => ['labelling', datasetId];

/**
 * The images of a dataset in the order in which they are labelled, which does not change meanwhile:
 * loaded page by page, a little ahead of the current image.
 */
export function useQueue(datasetId: number, wantedId: number | null) {
  const client = useClient();
  const list = useInfiniteQuery({
    queryKey: keyOf(datasetId),
    queryFn: ({ pageParam, signal }) =>
      client.datasetImages.page(datasetId, { cursor: pageParam, limit: imagesPerPage, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const images = list.data ?? [];
  const index = wantedId === null ? -1 : images.findIndex(({ id }) => id === wantedId);
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const isWanting = wantedId !== null && (index < 0 || index >= images.length - aheadImages);
  useEffect(() => {
    if (isWanting && hasNextPage && !isFetchingNextPage && !isError) fetchNextPage();
  }, [isWanting, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);

  /** The next unlabelled image after `from`, then from the beginning; null when all are labelled. */
  const findUnlabelled = async (from: number, isLabelled: (image: DatasetImage) => boolean) => {
    const isOpen = (image: DatasetImage) => !isLabelled(image);
    let all = images;
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
  return { list, images, index, findUnlabelled, isComplete: list.isSuccess && !hasNextPage };
}

type Queue = InfiniteData<{ data: readonly DatasetImage[]; next_cursor: string | null }>;

/** The images of the queue as last read from the service. */
export function useKnownImages(datasetId: number) {
  const queries = useQueryClient();
  return {
    /** Puts an image, as the service now has it, into the queue. */
    update: (image: DatasetImage): void => {
      queries.setQueryData<Queue>(
        keyOf(datasetId),
        (now) =>
          now && {
            ...now,
            pages: now.pages.map((page) => ({
              ...page,
              data: page.data.map((one) => (one.id === image.id ? image : one)),
            })),
          },
      );
    },
  };
}
