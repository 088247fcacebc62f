import type { DatasetImageFilter } from '@lynceus/client';
import { useSearchParams } from 'react-router';

/** What the grid is narrowed to; it stands in the address, so that it can be kept and sent. */
export function useImageFilter() {
  const [params, setParams] = useSearchParams();
  const [classId, labelled, split, search] = ['class', 'labelled', 'split', 'search'].map((name) =>
    params.get(name),
  );
  const filter: DatasetImageFilter = {
    classId: classId && /^\d+$/.test(classId) ? Number(classId) : undefined,
    labelled: labelled === 'yes' ? true : labelled === 'no' ? false : undefined,
    split: split === 'train' || split === 'held-out' ? split : undefined,
    search: search || undefined,
  };
  const set = (name: 'class' | 'labelled' | 'split' | 'search', value: string | null) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return { filter, set, isNarrowed, clear: () => setParams({}, { replace: true }) };
}
