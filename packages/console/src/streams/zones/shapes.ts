import type { StreamSettings } from '@lynceus/client';
import { isSimple, type Polygon } from './polygon.js';

/** A zone, or a mask, which has neither name nor classes. */
export interface Shape {
  readonly key: number;
  readonly kind: 'zone' | 'mask';
  readonly name: string;
  /** That can enter the zone; none for all. */
  readonly classes: readonly string[];
  readonly polygon: Polygon;
}

type Drawn = Pick<StreamSettings, 'zones' | 'masks'>;

/** As many zones, and as many masks, as the service takes. */
export const maxShapes = 32;
/** Characters of a name. */
export const maxNameLength = 60;

export function shapesOf({ zones, masks }: Drawn): readonly Shape[] {
  return [
    ...zones.map((zone) => ({ kind: 'zone' as const, ...zone })),
    ...masks.map((polygon) => ({ kind: 'mask' as const, name: '', classes: [], polygon })),
  ].map((shape, key) => ({ key, ...shape }));
}

export function settingsOf(shapes: readonly Shape[]): Drawn {
  return {
    zones: shapes
      .filter(({ kind }) => kind === 'zone')
      .map(({ name, polygon, classes }) => ({ name: name.trim(), polygon, classes })),
    masks: shapes.filter(({ kind }) => kind === 'mask').map(({ polygon }) => polygon),
  };
}

export type ShapeFault = 'noName' | 'sameName' | 'crossing';

/** Why the service would refuse a shape, by its key. */
export function faultsOf(shapes: readonly Shape[]): ReadonlyMap<number, ShapeFault> {
  const taken = new Set<string>();
  const faults = new Map<number, ShapeFault>();
  for (const { key, kind, name, polygon } of shapes) {
    const folded = name.trim().toLowerCase();
    if (!isSimple(polygon)) faults.set(key, 'crossing');
    else if (kind === 'zone' && folded === '') faults.set(key, 'noName');
    else if (kind === 'zone' && taken.has(folded)) faults.set(key, 'sameName');
    if (kind === 'zone') taken.add(folded);
  }
  return faults;
}

/** The first of "Zone 1", "Zone 2" … that no other zone has. */
export function freeName(shapes: readonly Shape[], nameOf: (number: number) => string): string {
  const taken = new Set(shapes.map(({ name }) => name.trim().toLowerCase()));
  let number = 1;
  while (taken.has(nameOf(number).toLowerCase())) number += 1;
  return nameOf(number);
}
