import type { CountedDataset, DatasetPicture } from '@lynceus/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useShowError } from '../kit/tell-error.js';
import type { DraftStore } from './drafts/draft-store.js';
import type { useQueue } from './use-queue.js';

/** From picture to picture: what is said of one is saved before another shows. */
export function useWalk({
  dataset,
  picture,
  queue,
  store,
  tell,
}: {
  dataset: CountedDataset;
  picture: DatasetPicture;
  queue: ReturnType<typeof useQueue>;
  store: DraftStore;
  tell: (words: string) => void;
}) {
  const { t } = useTranslation();
  const showError = useShowError();
  const [, setParams] = useSearchParams();
  const [isWalking, setIsWalking] = useState(false);
  const { index, pictures, findUnlabelled } = queue;
  const nextId = pictures[index + 1]?.id ?? null;
  const previousId = pictures[index - 1]?.id ?? null;

  const go = async (find: () => Promise<number | null> | number | null, whenNone: string) => {
    if (isWalking) return;
    setIsWalking(true);
    try {
      if (!(await store.flush(picture.id))) return;
      const id = await find();
      if (id === null) return tell(whenNone);
      setParams({ picture: String(id) }, { replace: true });
      tell(t('labelling.at', { number: pictures.findIndex((one) => one.id === id) + 1 || '…' }));
    } catch (error) {
      showError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setIsWalking(false);
    }
  };
  const isLabelled = (one: DatasetPicture) => store.read(one).history.present.labels !== null;
  return {
    nextId,
    previousId,
    isWalking,
    datasetId: dataset.id,
    next: () => go(() => nextId, t('labelling.last')),
    previous: () => go(() => previousId, t('labelling.first')),
    nextUnlabelled: () => go(() => findUnlabelled(index, isLabelled), t('labelling.allDone')),
  };
}

export type Walk = ReturnType<typeof useWalk>;
