import { expect, test } from 'vitest';
import { defaultStreamSettings } from '../stream-settings.js';
import { detectionAt } from '../tracking/fixtures/boxes.js';
import { observeStream, trackerScores } from './observe-stream.js';

/** What begins while an object of a score is seen for three seconds. */
function startsOf(score: number, settings: Partial<typeof defaultStreamSettings>) {
  const observer = observeStream({ ...defaultStreamSettings, ...settings });
  const looks = Array.from({ length: 12 }, (_, index) =>
    observer.observe({
      ...{ atMs: index * 250, width: 1000, height: 500, faces: [], texts: [] },
      detections: [detectionAt('person', 300, 250, { score })],
    }),
  );
  return looks.flatMap(({ events }) => events.filter(({ kind }) => kind === 'start')).length;
}

test('objects are followed from the minimum score on, however low it is', () => {
  expect(startsOf(0.3, { minScore: 0.25 })).toBe(1);
  expect(startsOf(0.1, { minScore: 0.05 })).toBe(1);
  expect(startsOf(0.3, { classes: [{ label: 'person', minScore: 0.25, minArea: 0 }] })).toBe(1);
  expect(startsOf(0.3, {})).toBe(0);
  expect(startsOf(0.2, { minScore: 0.25 })).toBe(0);
});

test('a usual minimum changes nothing of how objects are followed', () => {
  expect(trackerScores(defaultStreamSettings)).toEqual({ highScore: 0.4, lowScore: 0.15 });
});
