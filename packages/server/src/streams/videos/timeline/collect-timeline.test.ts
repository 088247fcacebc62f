import { expect, test } from 'vitest';
import type { TrackEvent, TrackState } from '../../tracking/track-state.js';
import { type CollectedFrame, createTimelineCollector } from './collect-timeline.js';
import { timelineLimits } from './timeline.js';

const state = (id: number, fromMs: number, atMs: number, more: Partial<TrackState> = {}): TrackState => ({
  ...{ id, label: { title: 'car' }, score: 0.8, topScore: 0.95, startedAtMs: fromMs, lastSeenAtMs: atMs },
  box: { xMin: 10, yMin: 20, xMax: 30, yMax: 40 },
  velocity: { x: 0, y: 0 },
  ...{ isStationary: false, currentZones: [], enteredZones: [], person: null, texts: [] },
  ...more,
});
const frame = (atMs: number, more: Partial<CollectedFrame> = {}): CollectedFrame => ({
  ...{ atMs, events: [], tracks: [], texts: [], sceneTexts: [], imageClasses: [] },
  ...more,
});
const event = (kind: TrackEvent['kind'], track: TrackState, atMs: number, isBest = false): TrackEvent => ({
  ...{ kind, atMs, track, isBest },
});

test('a track has its whole time, its best look in pixels of the video, and intervals while it was seen', () => {
  const collector = createTimelineCollector({ scale: 2, fps: 2 });
  const person = { personId: 1001, name: 'Ada', score: 0.87654 };
  const start = state(1, 500, 1000);
  collector.add(frame(1000, { events: [event('start', start, 1000, true)], tracks: [start] }));
  const box = { xMin: 50, yMin: 60, xMax: 70, yMax: 80 };
  const better = state(1, 500, 1500, { box });
  collector.add(frame(1500, { events: [event('update', better, 1500, true)], tracks: [better] }));
  // Out of sight for three seconds.
  for (const atMs of [2000, 3000, 4000]) collector.add(frame(atMs, { tracks: [state(1, 500, 1500)] }));
  for (const atMs of [4500, 5000]) collector.add(frame(atMs, { tracks: [state(1, 500, atMs)] }));
  collector.setThumbnail(1, 'an-image');
  collector.end([event('end', state(1, 500, 5000, { person, texts: ['B 12'] }), 9000)]);
  const seen = [
    { startSeconds: 0.5, endSeconds: 1.5 },
    { startSeconds: 4.5, endSeconds: 5 },
  ];
  expect(collector.finish()).toEqual({
    isCut: false,
    people: [{ id: 1001, intervals: seen }],
    texts: [{ text: 'B 12', intervals: [{ startSeconds: 0.5, endSeconds: 1.5 }, seen[1]] }],
    classes: [{ label: 'car', intervals: seen }],
    imageClasses: [],
    tracks: [
      {
        ...{ id: 1, label: 'car', score: 0.95, startSeconds: 0.5, endSeconds: 5, bestSeconds: 1.5 },
        box: { xMin: 100, yMin: 120, xMax: 140, yMax: 160 },
        person: { id: 1001, score: 0.877 },
        ...{ texts: ['B 12'], thumbnailId: 'an-image' },
      },
    ],
  });
});

test('a text of the scene is there from its first reading on, before readings agreed', () => {
  const collector = createTimelineCollector({ scale: 1, fps: 1 });
  const box = { xMin: 0, yMin: 0, xMax: 1, yMax: 1 };
  const read = (text: string) => [{ box, text, score: 0.8 }];
  collector.add(frame(0, { texts: read('noise') }));
  collector.add(frame(1000, { texts: read('P1atform 12') }));
  collector.add(
    frame(2000, { texts: read('Platform 12'), sceneTexts: [{ box, text: 'Platform 12', score: 0.8 }] }),
  );
  collector.add(frame(3000, { texts: read('Platform 12') }));
  collector.add(frame(9000, { texts: read('Platform l2'), imageClasses: ['station'] }));
  const { texts, imageClasses } = collector.finish();
  expect(texts).toEqual([
    {
      text: 'Platform 12',
      intervals: [
        { startSeconds: 1, endSeconds: 3 },
        { startSeconds: 9, endSeconds: 9 },
      ],
    },
  ]);
  expect(imageClasses).toEqual([{ label: 'station', intervals: [{ startSeconds: 9, endSeconds: 9 }] }]);
});

test('tracks beyond the limit are left out, and the timeline says so; classes have their time all the same', () => {
  const collector = createTimelineCollector({ scale: 1, fps: 2 });
  for (let id = 1; id <= timelineLimits.tracks + 1; id += 1) {
    const track = state(id, id * 10, id * 10);
    collector.add(frame(id * 10, { events: [event('start', track, id * 10)], tracks: [track] }));
    collector.end([event('end', track, id * 10)]);
  }
  const { isCut, tracks, classes } = collector.finish();
  expect([isCut, tracks.length]).toEqual([true, timelineLimits.tracks]);
  expect(classes[0]?.intervals.at(-1)?.endSeconds).toBe((timelineLimits.tracks + 1) / 100);
});
