import { type Box, boxArea, type Point } from '@lynceus/engine';

/** The frame of all scenes, in pixels. */
export const stageSize = { width: 1280, height: 720 } as const;

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
  /** Share of the object that the frame shows, 0 to 1, and the box around that. */
  readonly visible: number;
  readonly shown: Box;
}

export interface Scene {
  readonly frames: readonly TrueFrame[];
  /** How well the detector sees at a time, 1 as usual: at night less. */
  readonly light?: (atMs: number) => number;
  /** The objects that a tracker is judged by; all without. */
  readonly judged?: readonly number[];
}

/** An object on its way: the middle of its feet and its size. Whose feet are lower in the frame hides others. */
export interface Actor {
  readonly id: number;
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly at: (atMs: number) => Pose;
}

export interface Pose {
  readonly feet: Point;
  readonly heightPx: number;
  /** Width through height. */
  readonly aspect: number;
}

/** Something that hides what is behind it: whose feet are above its lower edge. */
export type Pillar = Box;

/** What is played before the camera; `light` and `judged` are those of the scene. */
export interface Stage extends Pick<Scene, 'light' | 'judged'> {
  readonly actors: readonly Actor[];
  readonly pillars?: readonly Pillar[];
  /** Offset of the camera; it is steady without. */
  readonly shake?: (atMs: number) => Point;
  readonly timesMs: readonly number[];
}

/** The truth of a staged scene. */
export function playScene({ actors, pillars = [], shake, timesMs, ...rest }: Stage): Scene {
  const { width, height } = stageSize;
  const frames = timesMs.map((atMs): TrueFrame => {
    const offset = shake?.(atMs) ?? { x: 0, y: 0 };
    const present = actors
      .filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
      .map(({ id, title, at }) => {
        const pose = at(atMs);
        return { id, title, whole: moved(boxOf(pose), offset), depth: pose.feet.y };
      });
    const hiding = pillars.map((pillar) => ({ whole: moved(pillar, offset), depth: pillar.yMax }));
    const objects = present.flatMap((object): TrueObject[] => {
      const inFrame = cut(object.whole, width, height);
      if (boxArea(inFrame) <= 0) return [];
      const nearer = [...present, ...hiding].filter(({ depth }) => depth > object.depth);
      const seen = lookAt(
        inFrame,
        nearer.map(({ whole }) => whole),
      );
      const visible = (seen.share * boxArea(inFrame)) / boxArea(object.whole);
      return [{ id: object.id, title: object.title, box: inFrame, visible, shown: seen.box }];
    });
    return { atMs, objects };
  });
  return { frames, ...rest };
}

/** The whole object, parts outside of the frame too. */
export function boxOf({ feet: { x, y }, heightPx, aspect }: Pose): Box {
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

/** The share of a box that none of the others hides, by a raster of 64 points, and the box around it. */
function lookAt(box: Box, nearer: readonly Box[]): { readonly share: number; readonly box: Box } {
  const hiding = nearer.filter(
    (other) =>
      other.xMin < box.xMax && other.xMax > box.xMin && other.yMin < box.yMax && other.yMax > box.yMin,
  );
  if (hiding.length === 0) return { share: 1, box };
  const [cellX, cellY] = [(box.xMax - box.xMin) / raster, (box.yMax - box.yMin) / raster];
  const cells = Array.from({ length: raster ** 2 }, (_, index) => ({
    x: box.xMin + (index % raster) * cellX,
    y: box.yMin + Math.floor(index / raster) * cellY,
  })).filter(({ x, y }) => {
    const point = { x: x + cellX / 2, y: y + cellY / 2 };
    return !hiding.some(
      (other) =>
        other.xMin <= point.x && point.x < other.xMax && other.yMin <= point.y && point.y < other.yMax,
    );
  });
  if (cells.length === 0) return { share: 0, box };
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
  return {
    share: cells.length / raster ** 2,
    box: {
      xMin: Math.min(...xs),
      yMin: Math.min(...ys),
      xMax: Math.max(...xs) + cellX,
      yMax: Math.max(...ys) + cellY,
    },
  };
}
