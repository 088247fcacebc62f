import type { Point } from '@lynceus/engine';
import { carKind, heightAt, parkedAt } from './paths.js';
import { between } from './random.js';
import { type Actor, type Pillar, stageSize } from './world.js';

/** Wind in a mast: two waves in each direction, in pixels. */
export function wind(random: () => number, amplitude: number): (atMs: number) => Point {
  const wave = () => {
    const [hertz, phase, share] = [between(random, 0.4, 3), random(), between(random, 0.3, 0.7)];
    return (atMs: number) => share * Math.sin(2 * Math.PI * (phase + (hertz * atMs) / 1000));
  };
  const waves = [wave(), wave(), wave(), wave()] as const;
  return (atMs) => ({
    x: amplitude * (waves[0](atMs) + waves[1](atMs)),
    y: (amplitude / 2) * (waves[2](atMs) + waves[3](atMs)),
  });
}

export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function pillarsOf(random: () => number, count: number): Pillar[] {
  return many(count, (index) => {
    const x = ((index + between(random, 0.3, 0.7)) / count) * stageSize.width;
    const half = between(random, 50, 110);
    return { xMin: x - half, yMin: 0, xMax: x + half, yMax: stageSize.height };
  });
}

/** Cars side by side, at a place each. */
export function carPark(random: () => number, toMs: number, { count = 6, y = 380 } = {}): Actor[] {
  const gap = 1.1 * carKind.aspect * heightAt(y, carKind.share);
  return many(count, (index) =>
    parkedAt(index + 1, {
      x: 120 + index * gap + between(random, -5, 5),
      y: y + between(random, -4, 4),
      fromMs: 0,
      toMs,
    }),
  );
}
