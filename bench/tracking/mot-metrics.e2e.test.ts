import { expect, test } from 'vitest';
import { addCounts, countMot, idf1, type JudgedFrame, mota } from './mot-metrics.js';

const boxAt = (x: number) => ({ xMin: x, yMin: 0, xMax: x + 10, yMax: 20 });
const at = (id: number, x: number) => ({ id, box: boxAt(x) });
const frame = (truths: JudgedFrame['truths'], tracks: JudgedFrame['tracks']): JudgedFrame => ({
  truths,
  tracks,
});

test('a tracker that says the truth has MOTA and IDF1 of 1', () => {
  const frames = [0, 5, 10].map((x) => frame([at(1, x), at(2, x + 40)], [at(7, x), at(8, x + 40)]));
  const counts = countMot(frames);
  expect(counts).toMatchObject({ truths: 6, missed: 0, falsePositives: 0, switches: 0, fragments: 0 });
  expect(mota(counts)).toBe(1);
  expect(idf1(counts)).toBe(1);
  expect(counts).toMatchObject({ objects: 2, tracks: 2 });
});

test('two tracks that change places at half time are two switches, and half of the identities are right', () => {
  const frames = [0, 1, 2, 3].map((time) =>
    frame([at(1, 0), at(2, 40)], time < 2 ? [at(7, 0), at(8, 40)] : [at(8, 0), at(7, 40)]),
  );
  const counts = countMot(frames);
  expect(counts).toMatchObject({ switches: 2, fragments: 0, idTruePositives: 4 });
  expect(mota(counts)).toBe(1 - 2 / 8);
  expect(idf1(counts)).toBe(0.5);
});

test('an object that is lost and found by a new track is a miss, a fragment and a switch', () => {
  const counts = countMot([
    frame([at(1, 0)], [at(7, 0)]),
    frame([at(1, 0)], []),
    frame([at(1, 0)], [at(8, 0)]),
    frame([at(1, 0)], [at(8, 0)]),
  ]);
  expect(counts).toMatchObject({ missed: 1, switches: 1, fragments: 1, idTruePositives: 2, tracks: 2 });
  expect(mota(counts)).toBe(0.5);
  expect(idf1(counts)).toBe(4 / 7);
});

test('a pair stays while it overlaps by half, although another track overlaps more', () => {
  const counts = countMot([
    frame([at(1, 0)], [at(7, 0)]),
    frame([at(1, 0)], [at(7, 3), at(8, 0)]),
    frame([at(1, 0)], [at(7, 4), at(8, 0)]),
  ]);
  // 6/14 is less than half: the third frame is a switch.
  expect(counts).toMatchObject({ switches: 1, falsePositives: 2 });
});

test('tracks on hidden objects are no mistakes, and hidden objects are not missed', () => {
  const hidden = { ...at(1, 0), isIgnored: true };
  const counts = countMot([frame([hidden], [at(7, 0)]), frame([hidden, at(2, 40)], [at(8, 80)])]);
  expect(counts).toMatchObject({ truths: 1, tracked: 1, missed: 1, falsePositives: 1, objects: 0 });
});

test('counts of sequences add up', () => {
  const one = countMot([frame([at(1, 0)], [at(7, 0)])]);
  const other = countMot([frame([at(1, 0)], [])]);
  expect(addCounts([one, other])).toMatchObject({ truths: 2, missed: 1, objects: 1, tracks: 1 });
});
