import type { Point } from '@lynceus/engine';
import { between } from './random.js';
import { type Actor, stageSize } from './world.js';

/** Times of frames that come irregularly, and of which some are skipped. */
export function frameTimes(
  random: () => number,
  { seconds, fps, skipped = 0.08 }: { seconds: number; fps: number; skipped?: number },
): number[] {
  const times: number[] = [];
  for (let atMs = 0; atMs < seconds * 1000; atMs += (1000 / fps) * between(random, 0.8, 1.2)) {
    if (random() >= skipped) times.push(Math.round(atMs));
  }
  return times;
}

/** Whose feet are at a height in the frame is so tall: the nearer, the taller. */
export function heightAt(y: number, share: number): number {
  return share * (y - 120);
}

export interface Waypoint extends Point {
  readonly atMs: number;
}

/** Somebody who goes along waypoints. The box grows and shrinks with the steps. */
export function actorOn(
  path: readonly Waypoint[],
  kind: {
    readonly id: number;
    readonly title: string;
    readonly aspect: number;
    /** Height as a share of the distance of the feet from the horizon. */
    readonly share: number;
    /** How much the width changes with the steps, as a share, and how often a second. */
    readonly gait?: { readonly by: number; readonly perSecond: number; readonly phase: number };
  },
): Actor {
  const [first, last] = [path[0], path.at(-1)];
  const { id, title, aspect, share, gait } = kind;
  return {
    id,
    title,
    fromMs: first?.atMs ?? 0,
    toMs: last?.atMs ?? 0,
    at: (atMs) => {
      const feet = positionOn(path, atMs);
      const swing = gait
        ? gait.by * Math.sin(2 * Math.PI * (gait.phase + (gait.perSecond * atMs) / 1000))
        : 0;
      return { feet, heightPx: heightAt(feet.y, share), aspect: aspect * (1 + swing) };
    },
  };
}

export function positionOn(path: readonly Waypoint[], atMs: number): Point {
  const next = path.findIndex((point) => point.atMs > atMs);
  const [from, to] = [path[Math.max(0, next - 1)], path[next]];
  if (!from || !to) return path.at(next < 0 ? -1 : 0) ?? { x: 0, y: 0 };
  const share = (atMs - from.atMs) / Math.max(1, to.atMs - from.atMs);
  return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
}

export const personKind = { title: 'person', aspect: 0.38, share: 0.42 } as const;
export const carKind = { title: 'car', aspect: 2, share: 0.25 } as const;

/** A person who comes from one side and leaves at the other, sometimes stops, and sometimes goes back. */
export function walker(
  random: () => number,
  id: number,
  { startMs, stops = 0.2, turns = 0.1 }: { startMs: number; stops?: number; turns?: number },
): Actor {
  const y = between(random, 380, 700);
  const speed = between(random, 0.5, 1.1) * heightAt(y, personKind.share);
  let direction = random() < 0.5 ? 1 : -1;
  const path: Waypoint[] = [{ atMs: startMs, x: direction > 0 ? -60 : stageSize.width + 60, y }];
  let [x, atMs, yNow] = [path[0]?.x ?? 0, startMs, y];
  while (x >= -60 && x <= stageSize.width + 60 && path.length < 60) {
    const ms = between(random, 600, 2500);
    const pace = speed * between(random, 0.75, 1.25);
    x += (direction * pace * ms) / 1000;
    yNow = Math.min(710, Math.max(360, yNow + between(random, -0.25, 0.25) * ((pace * ms) / 1000)));
    atMs += ms;
    path.push({ atMs, x, y: yNow });
    if (random() < stops) {
      atMs += between(random, 800, 4000);
      path.push({ atMs, x, y: yNow });
    }
    if (random() < turns) direction = -direction;
  }
  const gait = { by: 0.15, perSecond: between(random, 0.8, 1.2), phase: random() };
  return actorOn(path, { id, ...personKind, gait });
}

/** A vehicle that drives through, and may slow down. */
export function driver(
  random: () => number,
  id: number,
  {
    startMs,
    title = 'car',
    lane,
  }: { startMs: number; title?: string; lane?: { y: number; direction: 1 | -1 } },
): Actor {
  const y = lane?.y ?? between(random, 330, 520);
  const direction = lane?.direction ?? (random() < 0.5 ? 1 : -1);
  const share = title === 'car' ? carKind.share : 0.45;
  const speed = between(random, 1.5, 4) * heightAt(y, carKind.share);
  const path: Waypoint[] = [{ atMs: startMs, x: direction > 0 ? -150 : stageSize.width + 150, y }];
  let [x, atMs] = [path[0]?.x ?? 0, startMs];
  while (x >= -150 && x <= stageSize.width + 150 && path.length < 60) {
    const ms = between(random, 500, 1500);
    x += (direction * speed * between(random, 0.6, 1.3) * ms) / 1000;
    atMs += ms;
    path.push({ atMs, x, y });
  }
  return actorOn(path, { id, title, aspect: carKind.aspect, share });
}

/** Something that stays at a place. */
export function parkedAt(
  id: number,
  {
    x,
    y,
    fromMs,
    toMs,
    title = 'car',
  }: { x: number; y: number; fromMs: number; toMs: number; title?: string },
): Actor {
  const kind = title === 'person' ? personKind : { ...carKind, title };
  return actorOn(
    [
      { atMs: fromMs, x, y },
      { atMs: toMs, x, y },
    ],
    { id, ...kind },
  );
}
