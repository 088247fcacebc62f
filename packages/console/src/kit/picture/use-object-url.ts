import { useEffect, useState } from 'react';

/** An address for a file within this page, freed when another takes its place. */
export function useObjectUrl(file: Blob | null): string | null {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (!file) {
      setShown(null);
      return;
    }
    const url = URL.createObjectURL(file);
    setShown(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return shown;
}
