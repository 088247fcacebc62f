/** A tile of a large map with a detector run of its own, in pixels of that map. */
export interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The region of the tile that goes into the map: without the margins in which the detector lacks context. */
  readonly inner: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
}

const maxTileSidePx = 736;
/** How far two neighbouring tiles overlap; each gives up half of it. */
const overlapPx = 64;

/** Tiles of like size that cover a map; all sides are multiples of `multiple`, the map's included. */
export function layTiles(map: { readonly width: number; readonly height: number }, multiple: number): Tile[] {
  const columns = spans(map.width, multiple);
  return spans(map.height, multiple).flatMap((row) =>
    columns.map((column) => ({
      left: column.start,
      top: row.start,
      width: column.length,
      height: row.length,
      inner: { left: column.from, right: column.to, top: row.from, bottom: row.to },
    })),
  );
}

interface Span {
  readonly start: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

function spans(total: number, multiple: number): Span[] {
  if (total <= maxTileSidePx) return [{ start: 0, length: total, from: 0, to: total }];
  const count = Math.ceil((total - overlapPx) / (maxTileSidePx - overlapPx));
  const length = Math.ceil((total + (count - 1) * overlapPx) / count / multiple) * multiple;
  const starts = Array.from({ length: count }, (_, index) =>
    Math.round((index * (total - length)) / (count - 1)),
  );
  const between = (index: number) =>
    Math.round(((starts[index - 1] ?? 0) + length + (starts[index] ?? 0)) / 2);
  return starts.map((start, index) => ({
    start,
    length,
    from: index === 0 ? 0 : between(index),
    to: index === count - 1 ? total : between(index + 1),
  }));
}
