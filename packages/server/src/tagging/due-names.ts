/** Names of files by their folders, each with the time from which it is to be looked at. */
export function createDueNames() {
  const folders = new Map<string, Map<string, number>>();
  return {
    /** A name that is there already keeps the later time. */
    add(folder: string, name: string, dueMs: number) {
      const names = folders.get(folder) ?? new Map<string, number>();
      names.set(name, Math.max(names.get(name) ?? 0, dueMs));
      folders.set(folder, names);
    },
    /** Those whose time has come, which are there no more. */
    take(nowMs: number): readonly (readonly [folder: string, names: readonly string[]])[] {
      return [...folders].flatMap(([folder, names]) => {
        const due = [...names].filter(([, dueMs]) => dueMs <= nowMs).map(([name]) => name);
        for (const name of due) names.delete(name);
        if (names.size === 0) folders.delete(folder);
        return due.length === 0 ? [] : [[folder, due.sort()] as const];
      });
    },
  };
}
