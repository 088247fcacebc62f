import type { DatasetLabel } from '@lynceus/client';
import { beginHistory, type History, record, redo, undo } from '../../kit/history.js';
import { beginDraft, type Draft } from './draft.js';

/** The draft of one image, and its saved labels. */
export interface DraftEntry {
  readonly history: History<Draft>;
  /** The labels that the service has. */
  readonly saved: Draft['labels'];
  /** Revision of the labels that were last read or saved here. */
  readonly revision: number;
  readonly isSaving: boolean;
  /** Why the last attempt to save failed. */
  readonly error: Error | null;
}

interface DraftStoreOptions {
  /**
   * Replaces the labels of an image at a revision, and returns the new revision. Throws if they were not saved:
   * `LabelledElsewhere` if the image has another revision by now.
   */
  readonly save: (imageId: number, labels: Draft['labels'], revision: number) => Promise<number>;
  /** Time without a change after which labels are saved. */
  readonly idleMs: number;
}

interface LabelledImage {
  readonly id: number;
  readonly labels: readonly DatasetLabel[] | null;
  readonly labels_revision: number;
}

export function isUnsaved({ history, saved }: DraftEntry): boolean {
  return history.present.labels !== saved;
}

/**
 * The drafts of the images of a dataset on this page. Every change is saved after a moment, and before another image
 * is shown; a draft that cannot be saved is kept until it can.
 */
export function createDraftStore({ save, idleMs }: DraftStoreOptions) {
  const entries = new Map<number, DraftEntry>();
  const saving = new Map<number, Promise<boolean>>();
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();

  const put = (id: number, entry: DraftEntry) => {
    entries.set(id, entry);
    for (const listener of listeners) listener();
  };

  /** Returns the same object until something changes. */
  const read = ({ id, labels, labels_revision: revision }: LabelledImage): DraftEntry => {
    const known = entries.get(id);
    if (known) return known;
    const draft = beginDraft(labels);
    const entry = {
      history: beginHistory(draft),
      saved: draft.labels,
      revision,
      isSaving: false,
      error: null,
    };
    entries.set(id, entry);
    return entry;
  };

  const step = (image: LabelledImage, next: (history: History<Draft>) => History<Draft>) => {
    const entry = read(image);
    const history = next(entry.history);
    if (history === entry.history) return;
    put(image.id, { ...entry, history });
    clearTimeout(timers.get(image.id));
    timers.set(
      image.id,
      setTimeout(() => flush(image.id), idleMs),
    );
  };

  const saveNow = async (id: number, entry: DraftEntry): Promise<boolean> => {
    const { labels } = entry.history.present;
    put(id, { ...entry, isSaving: true });
    const outcome = await save(id, labels, entry.revision).catch((reason: unknown) =>
      reason instanceof Error ? reason : new Error(String(reason)),
    );
    const ended = { ...(entries.get(id) ?? entry), isSaving: false };
    if (typeof outcome === 'number') {
      put(id, { ...ended, error: null, saved: labels, revision: outcome });
      return true;
    }
    const theirs =
      outcome instanceof LabelledElsewhere
        ? { saved: beginDraft(outcome.labels).labels, revision: outcome.revision }
        : {};
    put(id, { ...ended, error: outcome, ...theirs });
    return false;
  };

  /**
   * Saves the unsaved labels of an image, one request at a time. False: not saved, the draft stays. Overwrites labels that
   * others saved meanwhile only with `overOthers`, which the user decides.
   */
  const flush = async (id: number, { overOthers = false } = {}): Promise<boolean> => {
    clearTimeout(timers.get(id));
    for (;;) {
      const underWay = saving.get(id);
      if (underWay) {
        if (!(await underWay)) return false;
        continue;
      }
      const entry = entries.get(id);
      if (!entry || !isUnsaved(entry)) return true;
      if (entry.error instanceof LabelledElsewhere && !overOthers) return false;
      const attempt = saveNow(id, entry).finally(() => saving.delete(id));
      saving.set(id, attempt);
      if (!(await attempt)) return false;
    }
  };

  return {
    read,
    flush,
    /** @param name of the step: following steps of the same name are undone together with it */
    change: (image: LabelledImage, how: (draft: Draft) => Draft, name: string | null = null) =>
      step(image, (history) => record(history, how(history.present), name)),
    undo: (image: LabelledImage) => step(image, undo),
    redo: (image: LabelledImage) => step(image, redo),
    /** Returns to the saved labels. */
    discard: (id: number) => {
      const entry = entries.get(id);
      if (!entry) return;
      const present = { ...entry.history.present, labels: entry.saved };
      put(id, { ...entry, history: record(entry.history, present), error: null });
    },
    hasUnsaved: () => [...entries.values()].some((entry) => entry.isSaving || isUnsaved(entry)),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type DraftStore = ReturnType<typeof createDraftStore>;

type Labels = readonly DatasetLabel[] | null;

/** Labels that were not saved, because the image was labelled meanwhile in another window or by another user. */
export class LabelledElsewhere extends Error {
  constructor(
    readonly labels: Labels,
    readonly revision: number,
  ) {
    super('the image was labelled elsewhere meanwhile');
  }
}

/** Whether two lists have the same labels. */
export function isSame(one: Labels, other: Labels): boolean {
  return JSON.stringify(one?.map(plain)) === JSON.stringify(other?.map(plain));
}

function plain({ class_id, box }: DatasetLabel) {
  return [class_id, box && [box.x_min, box.y_min, box.x_max, box.y_max]];
}
