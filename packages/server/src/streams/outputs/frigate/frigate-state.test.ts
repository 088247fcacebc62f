import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StreamEventData } from '../../event-data.js';
import { eventData, newTrack } from '../../fixtures/insert-event.js';
import { regionOf, toFrigateBox } from './frigate-box.js';
import { addEvent, type TrackFacts, toFrigateState } from './frigate-state.js';

const track = newTrack(1, 1, 1_700_000_000_000);

/** The state after events, each a second after the one before. */
function after(...changes: readonly Partial<StreamEventData>[]) {
  let facts: TrackFacts | null = null;
  let last = { at: 0, data: eventData(track) };
  for (const [index, change] of changes.entries()) {
    last = { at: track.startedAt + index * 1000, data: eventData(track, change) };
    facts = addEvent(facts, last);
  }
  if (facts === null) throw new Error('no event');
  return toFrigateState({ ...last, trackId: track.id }, 'yard', facts);
}

test('an object that came in has moved once, and once more each time that it moves again', () => {
  expect(after({}).position_changes).toBe(1);
  expect(after({}, { stationary: true }, { stationary: true }).position_changes).toBe(1);
  expect(after({}, { stationary: true }, {}).position_changes).toBe(2);
});

test('an object that stands there from the start has not moved', () => {
  expect(after({ stationary: true }, { stationary: true })).toMatchObject({
    position_changes: 0,
    active: false,
    motionless_count: 5,
  });
});

test('frames without motion are counted from when it stopped', () => {
  expect(after({}, { stationary: true }, { stationary: true }, { stationary: true }).motionless_count).toBe(
    10,
  );
  expect(after({}, { stationary: true }, {}).motionless_count).toBe(0);
});

test('the snapshot is that of the best event', () => {
  const { snapshot, snapshot_time } = after(
    { score: 0.5 },
    { score: 0.9 },
    { score: 0.7, has_snapshot: true },
  );
  expect(snapshot?.score).toBe(0.9);
  expect(snapshot_time).toBe((track.startedAt + 1000) / 1000);
});

test('boxes and regions are whole pixels within the frame, whatever the box', () => {
  const number = fc.double({ min: -5000, max: 9000, noNaN: true });
  const side = fc.integer({ min: 1, max: 8192 });
  fc.assert(
    fc.property(number, number, number, number, side, side, (a, b, c, d, width, height) => {
      const box = {
        x_min: Math.min(a, b),
        x_max: Math.max(a, b),
        y_min: Math.min(c, d),
        y_max: Math.max(c, d),
      };
      for (const [left, top, right, bottom] of [
        toFrigateBox({ box, width, height }),
        regionOf({ box, width, height }),
      ]) {
        expect([left, top, right, bottom].every(Number.isInteger)).toBe(true);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(right).toBeGreaterThanOrEqual(left);
        expect(bottom).toBeGreaterThanOrEqual(top);
        expect(right).toBeLessThanOrEqual(width);
        expect(bottom).toBeLessThanOrEqual(height);
      }
    }),
  );
});
