/** A map of probabilities as bytes: 255 is certain. Row by row. */
export interface ProbabilityMap {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A horizontal run of pixels, both ends inside. */
export interface Run {
  readonly y: number;
  readonly start: number;
  readonly end: number;
}

/** Pixels of at least `threshold` that touch, corners included, as runs from top to bottom. */
export type Component = readonly Run[];

/** The 8-connected components of a map, by union of the runs of neighbouring rows. */
export function findComponents({ data, width, height }: ProbabilityMap, threshold: number): Component[] {
  const runs: Run[] = [];
  const parent: number[] = [];
  const rootOf = (index: number): number => {
    let at = index;
    for (let up = parent[at] ?? at; up !== at; up = parent[at] ?? at) {
      parent[at] = parent[up] ?? up;
      at = up;
    }
    return at;
  };
  let above = 0;
  for (let y = 0; y < height; y += 1) {
    const first = runs.length;
    const end = (y + 1) * width;
    for (let at = y * width; at < end; at += 1) {
      if ((data[at] ?? 0) < threshold) continue;
      const start = at;
      while (at < end && (data[at] ?? 0) >= threshold) at += 1;
      parent.push(runs.length);
      runs.push({ y, start: start - y * width, end: at - 1 - y * width });
    }
    let upper = above;
    for (let lower = first; lower < runs.length; lower += 1) {
      const run = runs[lower];
      if (!run) break;
      while (upper < first && (runs[upper]?.end ?? 0) < run.start - 1) upper += 1;
      // The last touching run above may touch the next one below too: it is kept.
      for (let next = upper; next < first && (runs[next]?.start ?? width) <= run.end + 1; next += 1) {
        parent[rootOf(next)] = rootOf(lower);
      }
    }
    above = first;
  }
  return gather(runs, rootOf);
}

function gather(runs: readonly Run[], rootOf: (index: number) => number): Component[] {
  const components = new Map<number, Run[]>();
  runs.forEach((run, index) => {
    const root = rootOf(index);
    const members = components.get(root);
    if (members) members.push(run);
    else components.set(root, [run]);
  });
  return [...components.values()];
}
