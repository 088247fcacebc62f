import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../../service/client.js';

export interface ShownImage {
  /** Null while it is on its way, and when there is none. */
  readonly src: string | null;
  /** Of the image that was given, where `src` is a smaller one of it; boxes are in its pixels. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly isWaiting: boolean;
  /** For `onError` of the element that shows `src`. */
  readonly onBroken: () => void;
}

/** How long one that is out of sight is kept. */
const keptMs = 60_000;

/**
 * An image that the user chose, as this browser can show it: the file itself, or else the service's preview of it. Of an address
 * the service makes one too, for this page asks no other host.
 */
export function useShownImage(
  source: File | { readonly url: string },
  { maxSide, isInSight = true }: { readonly maxSide: number; readonly isInSight?: boolean },
): ShownImage {
  const client = useClient();
  const [broken, setBroken] = useState<File | null>(null);
  const file = source instanceof File && source !== broken ? source : null;
  const preview = useQuery({
    queryKey: ['preview', maxSide, ...nameOf(source)],
    queryFn: ({ signal }) => client.preview(source, { maxSide, signal }),
    enabled: file === null && isInSight,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  });
  const made = file === null ? preview.data : undefined;
  const src = useObjectUrl(file ?? made?.image);
  return {
    src,
    size: made && { width: made.width, height: made.height },
    isWaiting: src === null && !preview.isError,
    onBroken: () => file && setBroken(file),
  };
}

/** Its identity in the cache. */
function nameOf(source: File | { readonly url: string }): readonly (string | number)[] {
  return source instanceof File ? [source.name, source.size, source.lastModified] : [source.url];
}

/** An address of a Blob for as long as it is shown; null before and without one. */
export function useObjectUrl(blob: Blob | null | undefined): string | null {
  const [shown, setShown] = useState<{ readonly blob: Blob; readonly url: string } | null>(null);
  useEffect(() => {
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    setShown({ blob, url });
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return shown && shown.blob === blob ? shown.url : null;
}
