import { classColour } from '../../datasets/classes/class-dot.js';
import type { Shape } from './shapes.js';

/** A shape with the name and the colour by which it is shown. */
export interface ShownShape extends Shape {
  readonly title: string;
  readonly colour: string;
}

const maskColour = '#ced4da';

/** Zones by name, masks by number. */
export function showShapes(
  shapes: readonly Shape[],
  titles: { readonly zone: (number: number) => string; readonly mask: (number: number) => string },
): readonly ShownShape[] {
  const counts = { zone: 0, mask: 0 };
  return shapes.map((shape) => {
    counts[shape.kind] += 1;
    const number = counts[shape.kind];
    if (shape.kind === 'mask') return { ...shape, title: titles.mask(number), colour: maskColour };
    return { ...shape, title: shape.name.trim() || titles.zone(number), colour: classColour(number - 1) };
  });
}
