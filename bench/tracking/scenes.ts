import {
  actorOn,
  carKind,
  driver,
  frameTimes,
  heightAt,
  parkedAt,
  personKind,
  type Waypoint,
  walker,
} from './paths.js';
import { between } from './random.js';
import { type DetectorErrors, usualErrors } from './simulated-detector.js';
import { carPark, many, pillarsOf, wind } from './staging.js';
import { type Actor, type Stage, stageSize } from './world.js';

export interface SceneKind {
  readonly name: string;
  readonly shows: string;
  readonly errors: DetectorErrors;
  /** Constants are not chosen by these. */
  readonly isHeldOut?: boolean;
  readonly play: (random: () => number) => Stage;
}

const crossing: SceneKind = {
  name: 'crossing',
  shows: 'eight people who walk both ways, 5 frames/s',
  errors: usualErrors,
  play: (random) => ({
    actors: many(8, (index) => walker(random, index + 1, { startMs: between(random, 0, 6000) })),
    timesMs: frameTimes(random, { seconds: 25, fps: 5 }),
  }),
};

const pillars: SceneKind = {
  name: 'pillars',
  shows: 'people and cars behind three pillars, 5 frames/s',
  errors: usualErrors,
  play: (random) => ({
    actors: [
      ...many(5, (index) => walker(random, index + 1, { startMs: between(random, 0, 8000) })),
      ...many(3, (index) => driver(random, index + 11, { startMs: between(random, 0, 15_000) })),
    ],
    pillars: pillarsOf(random, 3),
    timesMs: frameTimes(random, { seconds: 30, fps: 5 }),
  }),
};

const slow: SceneKind = {
  name: 'slow',
  shows: 'five people, 1.5 frames/s',
  errors: usualErrors,
  play: (random) => ({
    actors: many(5, (index) => walker(random, index + 1, { startMs: between(random, 0, 20_000) })),
    timesMs: frameTimes(random, { seconds: 50, fps: 1.5 }),
  }),
};

/** Who leaves and comes back is somebody new: nothing but the place is known of people. */
const returning: SceneKind = {
  name: 'returning',
  shows: 'people who leave and others who come at the same place, 4 frames/s',
  errors: usualErrors,
  play: (random) => {
    const actors: Actor[] = [];
    for (let place = 0; place < 3; place++) {
      let startMs = between(random, 0, 3000);
      for (let visit = 0; visit < 3; visit++) {
        const actor = walker(random, actors.length + 1, { startMs, turns: 0.3 });
        actors.push(actor);
        startMs = actor.toMs + between(random, 1000, 12_000);
      }
    }
    return {
      actors,
      timesMs: frameTimes(random, { seconds: 60, fps: 4 }),
    };
  },
};

const parking: SceneKind = {
  name: 'parking',
  shows:
    'ten minutes of a car park at night: 6 cars, one leaves, one comes, people and lorries pass, 5 frames/s',
  errors: { ...usualErrors, missed: 0.15 },
  play: (random) => {
    const toMs = 600_000;
    const [leaver, ...others] = carPark(random, toMs);
    const y = 380;
    const speed = heightAt(y, carKind.share);
    const leave: Waypoint[] = [
      { atMs: 0, x: 120, y },
      { atMs: 180_000, x: 120, y },
      { atMs: 181_500, x: 120, y: y + 0.5 * speed },
      { atMs: 190_000, x: 120 + 14 * speed, y: y + 0.9 * speed },
    ];
    const arrive: Waypoint[] = [
      { atMs: 300_000, x: stageSize.width + 120, y: y + 0.9 * speed },
      { atMs: 306_000, x: 260, y: y + 0.9 * speed },
      { atMs: 308_000, x: 125, y },
      { atMs: toMs, x: 125, y },
    ];
    return {
      actors: [
        ...(leaver ? [actorOn(leave, { id: leaver.id, ...carKind })] : []),
        ...others,
        actorOn(arrive, { id: 90, ...carKind }),
        ...many(40, (index) => walker(random, 100 + index, { startMs: between(random, 0, toMs - 30_000) })),
        ...many(12, (index) =>
          driver(random, 200 + index, {
            startMs: between(random, 0, toMs - 20_000),
            title: 'truck',
            lane: { y: 520, direction: 1 },
          }),
        ),
      ],
      timesMs: frameTimes(random, { seconds: 600, fps: 5 }),
      // Headlights come and go: for up to a minute little is seen.
      light: (atMs) => (atMs % 120_000 < 50_000 ? 0.35 : 0.85),
    };
  },
};

/** The same car park; counted are the five cars that stay. */
const parked: SceneKind = {
  name: 'parked',
  shows: 'the same; only the five cars that stay count',
  errors: parking.errors,
  isHeldOut: true,
  play: (random) => ({ ...parking.play(random), judged: [2, 3, 4, 5, 6] }),
};

const shaking: SceneKind = {
  name: 'shaking',
  shows: 'a camera in the wind: 9 small parked cars and four people, 5 frames/s',
  errors: usualErrors,
  play: (random) => {
    const toMs = 60_000;
    return {
      actors: [
        ...carPark(random, toMs, { count: 9, y: 270 }),
        ...many(4, (index) => walker(random, 100 + index, { startMs: between(random, 0, 30_000) })),
      ],
      shake: wind(random, between(random, 10, 30)),
      timesMs: frameTimes(random, { seconds: 60, fps: 5 }),
    };
  },
};

const flipping: SceneKind = {
  name: 'flipping',
  shows: 'cars, lorries and dogs whose class flips in every third frame, 5 frames/s',
  errors: { ...usualErrors, flips: 0.35, doubles: 0.3 },
  play: (random) => ({
    actors: [
      ...many(6, (index) =>
        driver(random, index + 1, {
          startMs: between(random, 0, 18_000),
          title: index % 3 === 0 ? 'truck' : 'car',
        }),
      ),
      parkedAt(20, { x: 300, y: 600, fromMs: 0, toMs: 30_000, title: 'dog' }),
      parkedAt(21, { x: 900, y: 640, fromMs: 0, toMs: 30_000, title: 'truck' }),
    ],
    timesMs: frameTimes(random, { seconds: 30, fps: 5 }),
  }),
};

const crowd: SceneKind = {
  name: 'crowd',
  shows: 'twenty people and two pillars, 8 frames/s',
  errors: usualErrors,
  isHeldOut: true,
  play: (random) => ({
    actors: many(20, (index) => walker(random, index + 1, { startMs: between(random, 0, 15_000) })),
    pillars: pillarsOf(random, 2),
    timesMs: frameTimes(random, { seconds: 30, fps: 8, skipped: 0.2 }),
  }),
};

const street: SceneKind = {
  name: 'street',
  shows: 'traffic both ways past parked cars, people, a little wind, 3 frames/s',
  errors: { ...usualErrors, flips: 0.12, doubles: 0.1 },
  isHeldOut: true,
  play: (random) => ({
    actors: [
      ...carPark(random, 60_000, { count: 5, y: 330 }),
      ...many(6, (index) =>
        driver(random, 50 + index, { startMs: between(random, 0, 50_000), lane: { y: 400, direction: 1 } }),
      ),
      ...many(6, (index) =>
        driver(random, 60 + index, {
          startMs: between(random, 0, 50_000),
          lane: { y: 460, direction: -1 },
        }),
      ),
      ...many(6, (index) => walker(random, 100 + index, { startMs: between(random, 0, 40_000) })),
      parkedAt(80, { x: 1100, y: 650, fromMs: 0, toMs: 60_000, title: personKind.title }),
    ],
    shake: wind(random, 5),
    timesMs: frameTimes(random, { seconds: 60, fps: 3 }),
  }),
};

export const sceneKinds: readonly SceneKind[] = [
  crossing,
  pillars,
  slow,
  returning,
  parking,
  parked,
  shaking,
  flipping,
  crowd,
  street,
];
