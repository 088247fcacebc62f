import { type DatasetPicture, labelsChangedTo } from '@lynceus/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router';
import { useClient } from '../service/client.js';
import { createDraftStore, type DraftStore } from './drafts/draft-store.js';
import { isSame, LabelledElsewhere } from './drafts/labelled-elsewhere.js';
import { useKnownPictures } from './use-queue.js';

const idleMs = 1200;

/** The drafts of a dataset's pictures, saved through the service. The page is not left while something is not saved. */
export function useDrafts(datasetId: number): DraftStore {
  const client = useClient();
  const queries = useQueryClient();
  const known = useKnownPictures(datasetId);
  const [store] = useState(() =>
    createDraftStore({
      idleMs,
      save: async (pictureId, labels, ifRevision) => {
        const given = labels?.map(({ classId, box }) => ({ classId, box: box ?? undefined })) ?? null;
        const wanted = labels?.map(({ classId, box }) => ({ class_id: classId, box })) ?? null;
        const now = await client.datasetPictures
          .setLabels(datasetId, pictureId, given, { ifRevision })
          .catch((error: unknown) => {
            const theirs = labelsChangedTo(error);
            if (!theirs) throw error;
            known.update(theirs);
            if (isSame(theirs.labels, wanted)) return theirs;
            throw new LabelledElsewhere(theirs.labels, theirs.labels_revision);
          });
        known.update(now);
        queries.invalidateQueries({ queryKey: ['datasets', datasetId] });
        // Asked for when it is looked at again.
        queries.invalidateQueries({ queryKey: ['dataset-pictures', datasetId], refetchType: 'none' });
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

/** What is said of one picture. */
export function useDraftEntry(store: DraftStore, picture: DatasetPicture) {
  return useSyncExternalStore(store.subscribe, () => store.read(picture));
}

/** Saves before another page shows; one that would lose labels waits for the answer to `blocker`. */
export function useSaveBeforeLeaving(store: DraftStore, pictureId: number) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && store.hasUnsaved(),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    let isHere = true;
    store.flush(pictureId).then((isSaved) => {
      if (isHere && isSaved && !store.hasUnsaved()) blocker.proceed();
    });
    return () => {
      isHere = false;
    };
  }, [blocker, store, pictureId]);
  return blocker;
}
