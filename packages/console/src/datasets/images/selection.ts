/** Images that are chosen, and the one that was touched last: a range is chosen from there. */
export interface Selection {
  readonly ids: ReadonlySet<number>;
  readonly anchor: number | null;
}

export const nothingChosen: Selection = { ids: new Set(), anchor: null };

export function toggle(selection: Selection, id: number): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** All from the one touched last to this one, in the order in which they are shown. */
export function chooseTo(selection: Selection, id: number, shown: readonly number[]): Selection {
  const from = selection.anchor === null ? -1 : shown.indexOf(selection.anchor);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: id };
}

export function chooseAll(shown: readonly number[]): Selection {
  return { ids: new Set(shown), anchor: null };
}
