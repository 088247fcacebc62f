import { expect, test } from 'vitest';
import { type SeenInterval, scoreTimeline } from './score-timeline.js';

const seen = (key: string, startSeconds: number, endSeconds: number): SeenInterval => ({
  ...{ key, startSeconds, endSeconds },
});

test.each<[string, SeenInterval[], SeenInterval[], number, object]>([
  ['all right', [seen('a', 1, 3)], [seen('a', 1, 3)], 0, { recall: 1, precision: 1, found: 1 }],
  ['nothing reported', [seen('a', 1, 3)], [], 0, { recall: 0, precision: 1, planted: 1, found: 0 }],
  ['another key', [seen('a', 1, 3)], [seen('b', 1, 3)], 0, { recall: 0, precision: 0 }],
  ['half of it', [seen('a', 0, 4)], [seen('a', 2, 6)], 0, { recall: 0.5, precision: 0.5 }],
  ['twice the same', [seen('a', 0, 4)], [seen('a', 0, 2), seen('a', 1, 2)], 0, { recall: 0.5, precision: 1 }],
  ['within the tolerance', [seen('a', 1, 3)], [seen('a', 1.5, 2.5)], 0.5, { recall: 1, precision: 1 }],
  ['too long', [seen('a', 1, 3)], [seen('a', 1, 5)], 0, { recall: 1, precision: 0.5 }],
])('%s', (_name, planted, reported, tolerance, wanted) => {
  expect(scoreTimeline(planted, reported, tolerance)).toMatchObject(wanted);
});
