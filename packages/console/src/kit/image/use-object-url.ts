import { useEffect, useState } from 'react';

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
