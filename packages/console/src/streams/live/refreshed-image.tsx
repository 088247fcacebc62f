import type { Stream } from '@lynceus/client';
import { useInViewport } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../../service/client.js';
import { hasFrames, NoImage } from './live-image.js';
import styles from './live-image.module.css';

/** After a frame that did not come. */
const retryMs = 5000;

/** The newest frame of a stream, again and again while it is in sight and the page is shown. */
export function RefreshedImage({
  stream,
  alt,
  everyMs,
  maxSide,
  hasBoxes,
}: {
  stream: Stream;
  alt: string;
  everyMs: number;
  /** Longer side of the frame in pixels. */
  maxSide: number;
  hasBoxes: boolean;
}) {
  const client = useClient();
  const { ref, inViewport } = useInViewport();
  const isWanted = hasFrames(stream);
  const { data, isError, isPending } = useQuery({
    queryKey: ['stream-frames', stream.id, maxSide, hasBoxes],
    queryFn: ({ signal }) => client.streamViews.readFrame(stream.id, { maxSide, boxes: hasBoxes, signal }),
    enabled: isWanted && inViewport,
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : everyMs),
    refetchOnWindowFocus: true,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const url = useNewestUrl(data);
  return (
    <div ref={ref} className={styles['inner']}>
      {url ? (
        <img
          className={styles['image']}
          src={url}
          alt={alt}
          data-old={!isWanted || isError}
          draggable={false}
        />
      ) : (
        <NoImage isAwaited={isWanted && (isPending || !isError)} />
      )}
    </div>
  );
}

/** An object URL of a Blob; while the next one is made the one before is shown. */
function useNewestUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    // What the browser has drawn it does not read again.
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return blob ? url : null;
}
