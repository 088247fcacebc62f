import { clamp, type Point, type Size } from './geometry.js';

/** How the image lies on the stage: a point of the image times `scale`, plus `x` and `y`, in CSS pixels. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** The maximum zoom, in CSS pixels per pixel of the image. */
const maxScale = 24;
/** CSS pixels around the whole image, so that boxes at its edge can be taken hold of. */
const margin = 12;

/** The whole image, in the middle; small images are enlarged fourfold at most. */
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

/** Nearer or farther, so that what is at a point of the stage stays there. */
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

/** A side that fits is in the middle; one that does not has no gap beyond the margin. */
function keepInSight(view: View, image: Size, stage: Size): View {
  return {
    scale: view.scale,
    x: keepSide(view.x, image.width * view.scale, stage.width),
    y: keepSide(view.y, image.height * view.scale, stage.height),
  };
}

function keepSide(offset: number, length: number, room: number): number {
  if (length <= room - 2 * margin) return (room - length) / 2;
  return clamp(offset, room - margin - length, margin);
}
