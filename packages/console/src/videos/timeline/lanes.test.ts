import type { TimelineTrack, VideoTimeline } from '@lynceus/client';
import { expect, test } from 'vitest';
import { isOfLane, toLanes } from './lanes.js';

const interval = (start_seconds: number, end_seconds: number) => ({ start_seconds, end_seconds });
const track: TimelineTrack = {
  ...{ id: 1, label: 'person', score: 0.9, ...interval(1, 4), best_seconds: 2, texts: ['STOP'] },
  ...{ box: { x_min: 0, y_min: 0, x_max: 9, y_max: 9 }, thumbnail: null },
  person: { id: 7, name: 'Ada', score: 0.8 },
};
const timeline: VideoTimeline = {
  video: { duration_seconds: 10, width: 64, height: 36, codec: 'h264', fps: 10 },
  is_cut: false,
  people: [{ person: { id: 7, name: 'Ada' }, intervals: [interval(1, 4)] }],
  texts: [{ text: 'STOP', intervals: [interval(1, 2)] }],
  classes: [
    { label: 'dog', intervals: [interval(1, 2)] },
    { label: 'person', intervals: [interval(1, 4), interval(8, 9)] },
  ],
  image_classes: [{ label: 'street', intervals: [interval(0, 10)] }],
  tracks: [track],
};

test('people come first, and what is seen longest first within a kind', () => {
  expect(toLanes(timeline).lanes.map(({ name }) => name)).toEqual(['Ada', 'person', 'dog', 'STOP', 'street']);
});

test('an object belongs to the lanes of its person, its class and its texts', () => {
  const names = toLanes(timeline).lanes.filter((lane) => isOfLane(track, lane));
  expect(names.map(({ kind }) => kind)).toEqual(['person', 'object', 'text']);
});

test('without a duration the last object ends the timeline', () => {
  const video = { ...timeline.video, duration_seconds: 0 };
  const [ada] = toLanes({ ...timeline, video }).lanes;
  expect(ada?.spans[0]).toMatchObject({ start: 0.25, width: 0.75 });
});
