import type { Box } from '../../image/box.js';
import type { View } from './detect.js';
import { regionViews } from './views.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Side of the cells in which an image is searched again or not, in pixels of the fine view. */
const cellPx = 64;
/** Around them, in pixels of the fine view: a face at their border needs its surroundings. */
const marginPx = 32;
/** The largest view, in cells. */
const maxCells = { across: 18, down: 13 };

/** Cells next to each other. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  bottom: number;
}

/**
 * Views at `scale` (pixels of the view a pixel of the image) that together show every hint, with its surroundings, and little else.
 * @param hints places in pixels of the image where a coarser view may have a face
 */
export function hintedViews(image: Size, hints: readonly Box[], multiple: number, scale: number): View[] {
  const cell = cellPx / scale;
  const margin = marginPx / scale;
  const regions = blocksOf(image, hints, cell).map(({ from, to, top, bottom }) => ({
    xMin: from * cell - margin,
    yMin: top * cell - margin,
    xMax: to * cell + margin,
    yMax: bottom * cell + margin,
  }));
  return regionViews(image, regions, multiple, scale, Number.POSITIVE_INFINITY);
}

/** The cells that hints reach with half their size around them, as few rectangles. */
function blocksOf(image: Size, hints: readonly Box[], cell: number): readonly Block[] {
  const [columns, rows] = [Math.ceil(image.width / cell), Math.ceil(image.height / cell)];
  const marked = new Uint8Array(columns * rows);
  for (const { xMin, yMin, xMax, yMax } of hints) {
    const [x, y] = [(xMax - xMin) / 2, (yMax - yMin) / 2];
    const at = (place: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(place / cell)));
    for (let row = at(yMin - y, rows); row <= at(yMax + y, rows); row += 1) {
      marked.fill(1, row * columns + at(xMin - x, columns), row * columns + at(xMax + x, columns) + 1);
    }
  }
  const done: Block[] = [];
  let open: Block[] = [];
  for (let row = 0; row < rows; row += 1) {
    const runs = runsOf(marked.subarray(row * columns, (row + 1) * columns));
    const next = runs.map(([from, to]): Block => {
      const above = open.find(
        (block) => block.from === from && block.to === to && row - block.top < maxCells.down,
      );
      if (above === undefined) return { from, to, top: row, bottom: row + 1 };
      above.bottom = row + 1;
      return above;
    });
    done.push(...open.filter((block) => !next.includes(block)));
    open = next;
  }
  return [...done, ...open];
}

/** From and to of cells that are marked, without gaps. */
function runsOf(line: Uint8Array): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] !== 1) continue;
    const last = runs.at(-1);
    if (last?.[1] === at && at - last[0] < maxCells.across) last[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return runs;
}
