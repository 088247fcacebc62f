import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useShowError } from '../kit/error-text.js';
import type { DraftStore } from './drafts/draft-store.js';
import type { useQueue } from './use-queue.js';

/** Navigation between images: the labels of one are saved before the next is shown. */
export function useImageNavigation({
  dataset,
  image,
  queue,
  store,
  announce,
}: {
  dataset: CountedDataset;
  image: DatasetImage;
  queue: ReturnType<typeof useQueue>;
  store: DraftStore;
  announce: (words: string) => void;
}) {
  const { t } = useTranslation();
  const showError = useShowError();
  const [, setParams] = useSearchParams();
  const [isBusy, setIsBusy] = useState(false);
  const { index, images, findUnlabelled } = queue;
  const nextId = images[index + 1]?.id ?? null;
  const previousId = images[index - 1]?.id ?? null;

  const go = async (find: () => Promise<number | null> | number | null, whenNone: string) => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      if (!(await store.flush(image.id))) return;
      const id = await find();
      if (id === null) return announce(whenNone);
      setParams({ image: String(id) }, { replace: true });
      announce(t('labelling.at', { number: images.findIndex((one) => one.id === id) + 1 || '…' }));
    } catch (error) {
      showError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setIsBusy(false);
    }
  };
  const isLabelled = (one: DatasetImage) => store.read(one).history.present.labels !== null;
  return {
    nextId,
    previousId,
    isBusy,
    datasetId: dataset.id,
    next: () => go(() => nextId, t('labelling.last')),
    previous: () => go(() => previousId, t('labelling.first')),
    nextUnlabelled: () => go(() => findUnlabelled(index, isLabelled), t('labelling.allDone')),
  };
}

export type ImageNavigation = ReturnType<typeof useImageNavigation>;
