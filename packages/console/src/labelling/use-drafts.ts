import { type DatasetImage, labelsChangedTo } from '@lynceus/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router';
import { useClient } from '../service/client.js';
import { createDraftStore, type DraftStore, isSame, LabelledElsewhere } from './drafts/draft-store.js';
import { useKnownImages } from './use-queue.js';

const idleMs = 1200;

/** The drafts of the images of a dataset, saved by the service. The page cannot be left while a draft is not saved. */
export function useDrafts(datasetId: number): DraftStore {
  const client = useClient();
  const queries = useQueryClient();
  const known = useKnownImages(datasetId);
  const [store] = useState(() =>
    createDraftStore({
      idleMs,
      save: async (imageId, labels, ifRevision) => {
        const given = labels?.map(({ classId, box }) => ({ classId, box: box ?? undefined })) ?? null;
        const wanted = labels?.map(({ classId, box }) => ({ class_id: classId, box })) ?? null;
        const now = await client.datasetImages
          .setLabels(datasetId, imageId, given, { ifRevision })
          .catch((error: unknown) => {
            const theirs = labelsChangedTo(error);
            if (!theirs) throw error;
            known.update(theirs);
            if (isSame(theirs.labels, wanted)) return theirs;
            throw new LabelledElsewhere(theirs.labels, theirs.labels_revision);
          });
        known.update(now);
        queries.invalidateQueries({ queryKey: ['datasets', datasetId] });
        // Requested when it is shown again.
        queries.invalidateQueries({ queryKey: ['dataset-images', datasetId], refetchType: 'none' });
        return now.labels_revision;
      },
    }),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (store.hasUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [store]);
  return store;
}

/** The draft of one image. */
export function useDraftEntry(store: DraftStore, image: DatasetImage) {
  return useSyncExternalStore(store.subscribe, () => store.read(image));
}

/** Saves before navigation; navigation that would lose labels waits for the answer to `blocker`. */
export function useSaveBeforeLeaving(store: DraftStore, imageId: number) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && store.hasUnsaved(),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    let isHere = true;
    store.flush(imageId).then((isSaved) => {
      if (isHere && isSaved && !store.hasUnsaved()) blocker.proceed();
    });
    return () => {
      isHere = false;
    };
  }, [blocker, store, imageId]);
  return blocker;
}
