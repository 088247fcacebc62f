import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyDetection, boxAt, detectionAt, isFiniteThroughout } from './fixtures/boxes.js';
import { createTrackObserver, type TrackObserver } from './track-events.js';
import type { Look, SeenFace, SeenText, TrackEvent } from './track-state.js';

const size = { width: 1000, height: 500 };
type Shown = Partial<Pick<Look, 'detections' | 'faces' | 'texts'>>;

/** Shows an observer looks every `stepMs` from a time on. */
function show(
  observer: TrackObserver,
  count: number,
  at: (index: number) => Shown,
  { fromMs = 0, stepMs = 250 } = {},
): TrackEvent[] {
  return Array.from({ length: count }, (_, index) =>
    observer.observe({
      atMs: fromMs + index * stepMs,
      ...size,
      detections: [],
      faces: [],
      texts: [],
      ...at(index),
    }),
  ).flatMap(({ events }) => events);
}

const kinds = (events: readonly TrackEvent[]) => events.map(({ kind }) => kind);
const walker = (x: number, options = {}) => detectionAt('person', x, 250, options);
const faceOf = (x: number, personId: number | null, quality = 0.8): SeenFace => ({
  box: boxAt(x, 212, 14, 16),
  quality,
  person: personId === null ? null : { personId, name: `person ${personId}`, similarity: 0.8 },
});
const plateOf = (x: number, text: string): SeenText => ({ box: boxAt(x, 310, 30, 8), text, score: 0.8 });
const leftHalf = [
  { x: 0, y: 0 },
  { x: 0.5, y: 0 },
  { x: 0.5, y: 1 },
  { x: 0, y: 1 },
];

test('a person who comes and goes is one start with the best look and one end', () => {
  const observer = createTrackObserver();
  const came = show(observer, 10, (index) => ({ detections: [walker(300 + 10 * index)] }));
  const went = show(observer, 40, () => ({}), { fromMs: 2500 });
  expect(came.filter(({ kind }) => kind === 'start')).toMatchObject([{ isBest: true, track: { id: 1 } }]);
  expect(kinds(went)).toEqual(['end']);
  expect(went[0]?.track).toMatchObject({
    id: 1,
    label: { title: 'person' },
    startedAtMs: 0,
    lastSeenAtMs: 2250,
  });
});

test('an object whose class flips is one start, and an update names the class that it is taken for most', () => {
  const observer = createTrackObserver({ filters: { classes: ['cake', 'dog'] } });
  const titles = ['cake', 'cake', 'dog', 'suitcase', 'dog', 'dog', 'teddy bear', 'dog', 'dog', 'dog'];
  const seen = show(observer, titles.length, (index) => ({
    detections: [detectionAt(titles[index] ?? 'dog', 300, 250, { width: 120, height: 90 })],
  }));
  const ended = show(observer, 40, () => ({}), { fromMs: 2500 });
  const events = [...seen, ...ended];
  expect(kinds(events).filter((kind) => kind === 'start' || kind === 'end')).toEqual(['start', 'end']);
  expect(new Set(events.map(({ track }) => track.id)).size).toBe(1);
  const labels = events.map(({ track }) => track.label.title);
  expect(labels[0]).toBe('cake');
  expect(seen.find(({ track }) => track.label.title === 'dog')?.kind).toBe('update');
  expect(labels.at(-1)).toBe('dog');
  expect(labels).not.toContain('suitcase');
});

test('a stream that stops ends its tracks, and later ones have new ids', () => {
  const observer = createTrackObserver();
  show(observer, 5, () => ({ detections: [walker(300)] }));
  expect(kinds(observer.end(1250))).toEqual(['end']);
  expect(observer.end(1250)).toEqual([]);
  const again = show(observer, 5, () => ({ detections: [walker(300)] }), { fromMs: 2000 });
  expect(again.filter(({ kind }) => kind === 'start')).toMatchObject([{ track: { id: 2 } }]);
});

test('a name is recognised once, after looks that agree, and before that the person has none', () => {
  const observer = createTrackObserver();
  const events = show(observer, 12, (index) => ({
    detections: [walker(300)],
    faces: [faceOf(300, index === 1 ? 9 : 7)],
  }));
  const named = events.filter(({ kind }) => kind === 'person_recognised');
  expect(named).toMatchObject([{ track: { person: { personId: 7, name: 'person 7' } } }]);
  expect(named[0]?.atMs).toBeGreaterThanOrEqual(1000);
  expect(events.find(({ kind }) => kind === 'start')?.track.person).toBeNull();
});

test('a person who is refused loses the name at the next look and does not get it again', () => {
  const observer = createTrackObserver();
  show(observer, 12, () => ({ detections: [walker(300)], faces: [faceOf(300, 7)] }));
  expect(observer.refuse(1, 7)).toBe(true);
  expect(observer.refuse(99, 7)).toBe(false);
  const after = show(observer, 30, () => ({ detections: [walker(300)], faces: [faceOf(300, 7)] }), {
    fromMs: 3000,
  });
  expect(after[0]).toMatchObject({ kind: 'update', atMs: 3000, track: { person: null } });
  expect(kinds(after)).not.toContain('person_recognised');
});

test('zones are entered and left in pairs, by the end of the track too', () => {
  const observer = createTrackObserver({ zones: [{ name: 'left', points: leftHalf }] });
  const events = [
    ...show(observer, 30, (index) => ({ detections: [walker(350 + 10 * index)] })),
    ...show(observer, 30, (index) => ({ detections: [walker(650 - 10 * index)] }), { fromMs: 7500 }),
    ...observer.end(20_000),
  ];
  const zones = events.filter(({ zone }) => zone !== undefined);
  expect(kinds(zones)).toEqual(['zone_entered', 'zone_left', 'zone_entered', 'zone_left']);
  expect(zones.map(({ zone }) => zone)).toEqual(['left', 'left', 'left', 'left']);
  expect(zones[1]?.track).toMatchObject({ currentZones: [], enteredZones: ['left'] });
  expect(kinds(events).at(-1)).toBe('end');
});

test('a plate that is read in several frames is one event, on the car', () => {
  const observer = createTrackObserver();
  const events = show(observer, 12, (index) => ({
    detections: [detectionAt('car', 300, 300, { width: 160, height: 80 })],
    texts: [plateOf(300, index % 4 === 1 ? 'A8 123' : 'AB 123')],
  }));
  expect(events.filter(({ kind }) => kind === 'text_read')).toMatchObject([
    { text: 'AB 123', track: { label: { title: 'car' }, texts: ['AB 123'] } },
  ]);
});

test('a text on no track is one of the scene', () => {
  const observer = createTrackObserver();
  const looks = Array.from({ length: 5 }, (_, index) =>
    observer.observe({
      atMs: index * 250,
      ...size,
      detections: [],
      faces: [],
      texts: [plateOf(800, 'EXIT')],
    }),
  );
  expect(looks.flatMap(({ sceneTexts }) => sceneTexts)).toMatchObject([{ text: 'EXIT' }]);
  expect(looks.flatMap(({ events }) => events)).toEqual([]);
});

test('detections in a mask and tracks that filters hold back raise nothing', () => {
  const masked = createTrackObserver({ masks: [{ points: leftHalf }] });
  expect(show(masked, 10, () => ({ detections: [walker(300)] }))).toEqual([]);
  expect(kinds(show(masked, 10, () => ({ detections: [walker(700)] }), { fromMs: 2500 }))).toContain('start');
  const filtered = createTrackObserver({ filters: { byClass: { person: { minArea: 0.01 } } } });
  expect(show(filtered, 10, () => ({ detections: [walker(300)] }))).toEqual([]);
  const nearer = show(filtered, 10, () => ({ detections: [walker(300, { width: 60, height: 120 })] }), {
    fromMs: 2500,
  });
  expect(kinds(nearer)).toContain('start');
});

test('a parked car is one start and two updates in ten minutes, not an update for each look', () => {
  const observer = createTrackObserver();
  const events = show(observer, 2400, (index) => ({
    detections: [
      detectionAt(index % 5 === 0 ? 'truck' : 'car', 300 + (index % 3), 300, {
        width: 160,
        height: 80,
        score: 0.7 + (index % 7) / 100,
      }),
    ],
  }));
  expect(kinds(events).filter((kind) => kind === 'start')).toHaveLength(1);
  expect(events.length).toBeLessThanOrEqual(3);
  expect(events.at(-1)?.track).toMatchObject({ label: { title: 'car' }, isStationary: true });
});

test('better and better looks raise updates no more often than is set', () => {
  const observer = createTrackObserver({ updateEveryMs: 2000 });
  const events = show(observer, 80, (index) => {
    const height = 60 + 4 * index;
    return { detections: [detectionAt('person', 500, 440 - height / 2, { width: 0.4 * height, height })] };
  });
  const updates = events.filter(({ kind }) => kind === 'update').map(({ atMs }) => atMs);
  expect(updates.length).toBeGreaterThan(2);
  for (const [index, atMs] of updates.entries()) {
    expect(atMs - (updates[index - 1] ?? -2000)).toBeGreaterThanOrEqual(2000);
  }
});

test('a face that is seen for the first time makes the look the best', () => {
  const observer = createTrackObserver({ updateEveryMs: 1000 });
  const events = show(observer, 12, (index) => ({
    detections: [walker(300)],
    faces: index < 8 ? [] : [faceOf(300, null)],
  }));
  expect(events.filter(({ isBest }) => isBest).map(({ kind, atMs }) => [kind, atMs])).toEqual([
    ['start', 250],
    ['update', 2000],
  ]);
});

const anyLook: fc.Arbitrary<Look> = fc.record({
  atMs: fc.integer({ min: -1000, max: 40_000 }),
  width: fc.constantFrom(1000, 1000, 1000, 500),
  height: fc.constant(500),
  detections: fc.oneof(
    fc.array(anyDetection, { maxLength: 6 }),
    fc.array(
      fc.integer({ min: 0, max: 3 }).map((place) => walker(100 + 250 * place)),
      { maxLength: 4 },
    ),
  ),
  faces: fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 2 }))
      .map(([place, personId]) => faceOf(100 + 250 * place, personId)),
    { maxLength: 3 },
  ),
  texts: fc.array(
    fc.tuple(fc.integer({ min: 0, max: 3 }), fc.string({ maxLength: 80 })).map(([place, text]) => ({
      ...plateOf(100 + 250 * place, text),
      box: boxAt(100 + 250 * place, 260, 20, 8),
    })),
    { maxLength: 3 },
  ),
});

test('whatever is seen and however time runs, each track starts once, ends once, and has events between only', () => {
  fc.assert(
    fc.property(fc.array(anyLook, { maxLength: 30 }), fc.boolean(), (all, isOrdered) => {
      const observer = createTrackObserver({
        zones: [{ name: 'left', points: leftHalf, inertiaFrames: 2 }],
        tracker: { stationaryAfterMs: 2000 },
      });
      const looks = isOrdered ? [...all].sort((a, b) => a.atMs - b.atMs) : all;
      const events: TrackEvent[] = [];
      for (const look of looks) {
        const seen = observer.observe(look);
        expect(isFiniteThroughout(seen)).toBe(true);
        events.push(...seen.events);
        const open = new Set(events.filter(({ kind }) => kind === 'start').map(({ track }) => track.id));
        for (const { kind, track } of events) if (kind === 'end') open.delete(track.id);
        expect(seen.tracks.map(({ id }) => id).sort()).toEqual([...open].sort());
      }
      events.push(...observer.end(50_000));
      for (const id of new Set(events.map(({ track }) => track.id))) {
        const own = kinds(events.filter(({ track }) => track.id === id));
        expect(own[0]).toBe('start');
        expect(own.at(-1)).toBe('end');
        expect(own.filter((kind) => kind === 'start' || kind === 'end')).toHaveLength(2);
        const count = (kind: TrackEvent['kind']) => own.filter((each) => each === kind).length;
        expect(count('zone_left')).toBe(count('zone_entered'));
      }
    }),
    { numRuns: 150 },
  );
});
