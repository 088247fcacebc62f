import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setClass } from './draft.js';
import { createDraftStore, isUnsaved, LabelledElsewhere } from './draft-store.js';

const image = { id: 1, labels: null, labels_revision: 10 };
const idleMs = 500;
const classesOf = (labels: readonly { readonly classId: number }[] | null) =>
  labels?.map(({ classId }) => classId) ?? null;

describe('saving labels', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('saves labels after a time without changes', async () => {
    const saved: unknown[] = [];
    const store = createDraftStore({ idleMs, save: async (_, labels) => saved.push(classesOf(labels)) });
    store.change(image, (draft) => setClass(draft, 7));
    store.change(image, (draft) => setClass(draft, 8));
    expect(store.hasUnsaved()).toBe(true);
    await vi.advanceTimersByTimeAsync(idleMs);
    expect(saved).toEqual([[8]]);
    expect(store.hasUnsaved()).toBe(false);
  });

  test('saves changes that are made during a save after it, never before', async () => {
    const saved: unknown[] = [];
    const ends: (() => void)[] = [];
    const store = createDraftStore({
      idleMs,
      save: (_, labels) =>
        new Promise((resolve) => {
          ends.push(() => {
            saved.push(classesOf(labels));
            resolve(11);
          });
        }),
    });
    store.change(image, (draft) => setClass(draft, 7));
    const flushed = store.flush(1);
    store.change(image, (draft) => setClass(draft, 8));
    const again = store.flush(1);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    ends[1]?.();
    expect(await Promise.all([flushed, again])).toEqual([true, true]);
    expect(saved).toEqual([[7], [8]]);
  });

  test('reports a failed save, keeps the labels, and can retry', async () => {
    let isDown = true;
    const store = createDraftStore({
      idleMs,
      save: async () => {
        if (isDown) throw new Error('the service does not answer');
        return 11;
      },
    });
    store.change(image, (draft) => setClass(draft, 7));
    expect(await store.flush(1)).toBe(false);
    expect(store.read(image).error?.message).toBe('the service does not answer');
    expect(classesOf(store.read(image).history.present.labels)).toEqual([7]);
    expect(store.hasUnsaved()).toBe(true);
    isDown = false;
    expect(await store.flush(1)).toBe(true);
    expect(store.read(image).error).toBeNull();
    expect(store.hasUnsaved()).toBe(false);
  });

  test('overwrites labels that others saved meanwhile only when the user decides so', async () => {
    const saved: unknown[] = [];
    const revisions: number[] = [];
    let theirs: readonly { class_id: number; box: null }[] | null = [{ class_id: 3, box: null }];
    const store = createDraftStore({
      idleMs,
      save: async (_, labels, revision) => {
        revisions.push(revision);
        if (theirs) throw new LabelledElsewhere(theirs, 20);
        saved.push(classesOf(labels));
        return 30;
      },
    });
    store.change(image, (draft) => setClass(draft, 7));
    expect(await store.flush(1)).toBe(false);
    theirs = null;
    expect(await store.flush(1)).toBe(false);
    store.change(image, (draft) => setClass(draft, 8));
    await vi.advanceTimersByTimeAsync(idleMs);
    expect(saved).toEqual([]);
    expect(await store.flush(1, { overOthers: true })).toBe(true);
    expect(saved).toEqual([[8]]);
    expect(revisions).toEqual([10, 20]);

    theirs = [{ class_id: 4, box: null }];
    store.change(image, (draft) => setClass(draft, 9));
    expect(await store.flush(1)).toBe(false);
    store.discard(1);
    expect(classesOf(store.read(image).history.present.labels)).toEqual([4]);
    expect(store.hasUnsaved()).toBe(false);
  });

  test('saves nothing after an undo to the saved labels, or after a discard', async () => {
    const save = vi.fn(async () => 11);
    const store = createDraftStore({ idleMs, save });
    store.change(image, (draft) => setClass(draft, 7));
    store.undo(image);
    expect(await store.flush(1)).toBe(true);
    store.change(image, (draft) => setClass(draft, 7));
    store.discard(1);
    expect(isUnsaved(store.read(image))).toBe(false);
    expect(await store.flush(1)).toBe(true);
    expect(save).not.toHaveBeenCalled();
  });
});
