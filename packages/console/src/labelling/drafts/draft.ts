import type { DatasetBox, DatasetLabel } from '@lynceus/client';
import { overlap } from '../stage/geometry.js';

/** A label on the page, with a number that is unique in its image. */
export interface DraftLabel {
  readonly key: number;
  readonly classId: number;
  /** Null in classification. */
  readonly box: DatasetBox | null;
}

/** A label that a model proposes. */
export interface Suggestion {
  /** Its index in the answer. */
  readonly key: number;
  readonly classId: number;
  readonly box: DatasetBox | null;
  /** 0 to 1. */
  readonly score: number;
}

/** The labels of an image on the page, saved or not. */
export interface Draft {
  /** Null: not labelled; empty: none of the classes. */
  readonly labels: readonly DraftLabel[] | null;
  /** Keys of the suggestions that were accepted or rejected. */
  readonly answered: readonly number[];
}

export function beginDraft(labels: readonly DatasetLabel[] | null): Draft {
  return {
    labels: labels?.map(({ class_id, box }, index) => ({ key: index + 1, classId: class_id, box })) ?? null,
    answered: [],
  };
}

export function addLabel(draft: Draft, classId: number, box: DatasetBox | null): Draft {
  const labels = draft.labels ?? [];
  return { ...draft, labels: [...labels, { key: nextKey(labels), classId, box }] };
}

export function changeLabel(
  draft: Draft,
  key: number,
  change: Partial<Pick<DraftLabel, 'classId' | 'box'>>,
): Draft {
  if (!draft.labels) return draft;
  return {
    ...draft,
    labels: draft.labels.map((label) => (label.key === key ? { ...label, ...change } : label)),
  };
}

/** Without its last label an image is unlabelled: "none of the classes" is set explicitly. */
export function removeLabel(draft: Draft, key: number): Draft {
  const labels = draft.labels?.filter((label) => label.key !== key) ?? [];
  return { ...draft, labels: labels.length === 0 ? null : labels };
}

/** Sets or clears "none of the classes". */
export function toggleNone(draft: Draft): Draft {
  return { ...draft, labels: draft.labels?.length === 0 ? null : [] };
}

/** The one class of an image. */
export function setClass(draft: Draft, classId: number): Draft {
  if (draft.labels?.length === 1 && draft.labels[0]?.classId === classId) return draft;
  return { ...draft, labels: [{ key: 1, classId, box: null }] };
}

/** Sets or clears one of the classes of an image. */
export function toggleClass(draft: Draft, classId: number): Draft {
  const said = draft.labels?.find((label) => label.classId === classId);
  return said ? removeLabel(draft, said.key) : addLabel(draft, classId, null);
}

export function accept(draft: Draft, suggestions: readonly Suggestion[], isOnlyOne: boolean): Draft {
  const answered = [...draft.answered, ...suggestions.map(({ key }) => key)];
  const taken = suggestions.reduce(
    (so, { classId, box }) => (isOnlyOne ? setClass(so, classId) : addLabel(so, classId, box)),
    draft,
  );
  return { ...taken, answered };
}

export function refuse(draft: Draft, key: number): Draft {
  return { ...draft, answered: [...draft.answered, key] };
}

/** From this overlap (IoU) a suggestion repeats a label. */
const sameThing = 0.6;

/** Suggestions that are neither answered nor repeat a label. */
export function openSuggestions(draft: Draft, suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return suggestions.filter(
    ({ key, classId, box }) =>
      !draft.answered.includes(key) &&
      !draft.labels?.some(
        (label) => label.classId === classId && (!box || !label.box || overlap(box, label.box) >= sameThing),
      ),
  );
}

function nextKey(labels: readonly DraftLabel[]): number {
  return labels.reduce((most, { key }) => Math.max(most, key), 0) + 1;
}
