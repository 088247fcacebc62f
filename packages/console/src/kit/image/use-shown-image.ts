import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../../service/client.js';

export interface ShownImage {
  /** Null while it loads, and if there is none. */
  readonly src: string | null;
  /** Size of the original, if `src` is a smaller version of it; boxes are in pixels of the original. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly isWaiting: boolean;
  /** For `onError` of the element that shows `src`. */
  readonly onBroken: () => void;
}

/** How long a preview that is not shown is cached. */
const keptMs = 60_000;

/**
 * An image that the user chose, in a form that the browser can show: the file itself, or else a preview made by the service.
 * For an address the service also makes a preview, since the page sends no request to other hosts.
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
  const shownPreview = file === null ? preview.data : undefined;
  const src = useObjectUrl(file ?? shownPreview?.image);
  return {
    src,
    size: shownPreview && { width: shownPreview.width, height: shownPreview.height },
    isWaiting: src === null && !preview.isError,
    onBroken: () => file && setBroken(file),
  };
}

/** The key of the image in the cache. */
function nameOf(source: File | { readonly url: string }): readonly (string | number)[] {
  return source instanceof File ? [source.name, source.size, source.lastModified] : [source.url];
}

/** An object URL of a Blob, revoked when it is no longer shown; null without a Blob. */
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
