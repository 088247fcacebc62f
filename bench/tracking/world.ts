import { type Box, boxArea, type Point } from '@lynceus/engine';

/** What is true of one frame. */
export interface TrueFrame {
  readonly atMs: number;
  readonly objects: readonly TrueObject[];
}

export interface TrueObject {
  readonly id: number;
  readonly title: string;
  /** In pixels of the frame, parts outside of the frame cut off. */
  readonly box: Box;
  /** Share of the object that the frame shows, 0 to 1. */
  readonly visible: number;
}

export interface Scene {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly frames: readonly TrueFrame[];
  /** How well the detector sees at a time, 1 as usual: at night less. */
  readonly light?: (atMs: number) => number;
}

/** An object on its way: the middle of its feet and its size. Whose feet are lower in the frame hides others. */
export interface Actor {
  readonly id: number;
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** `aspect` is width through height. */
  readonly at: (atMs: number) => { readonly feet: Point; readonly heightPx: number; readonly aspect: number };
}

/** Something that hides what is behind it: whose feet are above its lower edge. */
export type Pillar = Box;

export interface Stage {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly actors: readonly Actor[];
  readonly pillars: readonly Pillar[];
  /** Offset of the camera. */
  readonly shake: (atMs: number) => Point;
  readonly timesMs: readonly number[];
  readonly light?: (atMs: number) => number;
}

/** The truth of a staged scene. */
export function playScene({ name, width, height, actors, pillars, shake, timesMs, light }: Stage): Scene {
  const frames = timesMs.map((atMs): TrueFrame => {
    const offset = shake(atMs);
    const present = actors
      .filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
      .map(({ id, title, at }) => {
        const { feet, heightPx, aspect } = at(atMs);
        return { id, title, whole: moved(boxOver(feet, heightPx, aspect), offset), depth: feet.y };
      });
    const hiding = pillars.map((pillar) => ({ whole: moved(pillar, offset), depth: pillar.yMax }));
    const objects = present.flatMap((object): TrueObject[] => {
      const inFrame = cut(object.whole, width, height);
      if (boxArea(inFrame) <= 0) return [];
      const nearer = [...present, ...hiding].filter(({ depth }) => depth > object.depth);
      const shown =
        (visibleShare(
          inFrame,
          nearer.map(({ whole }) => whole),
        ) *
          boxArea(inFrame)) /
        boxArea(object.whole);
      return [{ id: object.id, title: object.title, box: inFrame, visible: shown }];
    });
    return { atMs, objects };
  });
  return { name, width, height, frames, ...(light && { light }) };
}

function boxOver({ x, y }: Point, heightPx: number, aspect: number): Box {
  const half = (heightPx * aspect) / 2;
  return { xMin: x - half, yMin: y - heightPx, xMax: x + half, yMax: y };
}

function moved(box: Box, { x, y }: Point): Box {
  return { xMin: box.xMin + x, yMin: box.yMin + y, xMax: box.xMax + x, yMax: box.yMax + y };
}

function cut(box: Box, width: number, height: number): Box {
  return {
    xMin: Math.max(0, box.xMin),
    yMin: Math.max(0, box.yMin),
    xMax: Math.min(width, box.xMax),
    yMax: Math.min(height, box.yMax),
  };
}

const raster = 8;

/** Share of a box that none of the others hides, by a raster of 64 points. */
function visibleShare(box: Box, nearer: readonly Box[]): number {
  const hiding = nearer.filter(
    (other) =>
      other.xMin < box.xMax && other.xMax > box.xMin && other.yMin < box.yMax && other.yMax > box.yMin,
  );
  if (hiding.length === 0) return 1;
  let shown = 0;
  for (let row = 0; row < raster; row++) {
    for (let column = 0; column < raster; column++) {
      const x = box.xMin + ((column + 0.5) / raster) * (box.xMax - box.xMin);
      const y = box.yMin + ((row + 0.5) / raster) * (box.yMax - box.yMin);
      if (!hiding.some((other) => other.xMin <= x && x < other.xMax && other.yMin <= y && y < other.yMax))
        shown += 1;
    }
  }
  return shown / raster ** 2;
}
