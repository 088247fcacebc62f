/** A part of a file, in bytes. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The parts in their order as one file; the same bytes where nothing is left out. */
export function joinRanges(bytes: Buffer, ranges: readonly Range[]): Buffer {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of ranges) {
    const last = merged.at(-1);
    if (last?.to === from) last.to = to;
    else merged.push({ from, to });
  }
  const [first] = merged;
  if (merged.length === 1 && first?.from === 0) return bytes.subarray(0, first.to);
  return Buffer.concat(merged.map(({ from, to }) => bytes.subarray(from, to)));
}

/** The file without these parts, which are in their order. */
export function withoutRanges(bytes: Buffer, ranges: readonly Range[]): Buffer {
  const starts = [0, ...ranges.map(({ to }) => to)];
  const ends = [...ranges.map(({ from }) => from), bytes.length];
  return Buffer.concat(starts.map((from, index) => bytes.subarray(from, ends[index])));
}
