import { clamp, type Point, type Size } from './geometry.js';

/** The position of the image on the stage: a point of the image times `scale`, plus `x` and `y`, in CSS pixels. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** The maximum zoom, in CSS pixels per pixel of the image. */
const maxScale = 24;
/** CSS pixels around the whole image, so that handles at its edge can be dragged. */
const margin = 12;

/** The whole image, centred; small images are enlarged four times at most. */
export function fitView(image: Size, stage: Size): View {
  const scale = Math.max(
    0.01,
    Math.min((stage.width - 2 * margin) / image.width, (stage.height - 2 * margin) / image.height, 4),
  );
  return {
    scale,
    x: (stage.width - image.width * scale) / 2,
    y: (stage.height - image.height * scale) / 2,
  };
}

/** Zooms in or out around a point of the stage. */
export function zoomAt(view: View, at: Point, factor: number, image: Size, stage: Size): View {
  const least = fitView(image, stage).scale;
  const scale = clamp(view.scale * factor, least, Math.max(maxScale, least));
  const ratio = scale / view.scale;
  const moved = { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
  return keepInSight(moved, image, stage);
}

export function panBy(view: View, by: Point, image: Size, stage: Size): View {
  return keepInSight({ ...view, x: view.x + by.x, y: view.y + by.y }, image, stage);
}

export function toImage(view: View, { x, y }: Point): Point {
  return { x: (x - view.x) / view.scale, y: (y - view.y) / view.scale };
}

/** Centres a side that fits; a longer side leaves no gap beyond the margin. */
function keepInSight(view: View, image: Size, stage: Size): View {
  return {
    scale: view.scale,
    x: keepSide(view.x, image.width * view.scale, stage.width),
    y: keepSide(view.y, image.height * view.scale, stage.height),
  };
}

function keepSide(offset: number, length: number, available: number): number {
  if (length <= available - 2 * margin) return (available - length) / 2;
  return clamp(offset, available - margin - length, margin);
}
