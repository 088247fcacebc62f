import { expect, test } from 'vitest';
import { findDropLosses } from './check.js';
import type { Ledger } from './ledger.js';

const sent = (): Ledger =>
  new Map([
    ['a.jpg', { drop: 'one', digest: 'A', outcome: 'acknowledged' }],
    ['b.jpg', { drop: 'one', digest: 'B', outcome: 'acknowledged' }],
    ['half.jpg', { drop: 'one', digest: 'H', outcome: 'cut' }],
    ['who.jpg', { drop: 'one', digest: 'W', outcome: 'unknown' }],
    ['other.jpg', { drop: 'two', digest: 'O', outcome: 'acknowledged' }],
  ]);
const all = [
  { name: 'a.jpg', digest: 'A' },
  { name: 'b.jpg', digest: 'B' },
];
const none: readonly { name: string; digest: string }[] = [];

test('what arrived once and whole, or failed with a reason, is no loss', () => {
  expect(findDropLosses('one', sent(), { received: all, failed: [] })).toEqual([]);
  const failed = [{ name: 'b.jpg', reason: 'b.jpg\n\nwas not sent on: it is empty' }];
  expect(findDropLosses('one', sent(), { received: all.slice(0, 1), failed })).toEqual([]);
  const unknown = [...all, { name: 'who.jpg', digest: 'W' }];
  expect(findDropLosses('one', sent(), { received: unknown, failed: [] })).toEqual([]);
});

test.each([
  ['lost', all.slice(0, 1), [], 'b.jpg was acknowledged, and is nowhere'],
  ['sent twice', [...all, { name: 'a (2).jpg', digest: 'A' }], [], 'a.jpg arrived 2 times'],
  [
    'sent in part',
    [...all.slice(0, 1), { name: 'b.jpg', digest: 'half' }],
    [],
    'b.jpg arrived with another content',
  ],
  [
    'taken though it was cut',
    [...all, { name: 'half.jpg', digest: 'H' }],
    [],
    'half.jpg was cut, and arrived',
  ],
  [
    'of another drop',
    [...all, { name: 'other.jpg', digest: 'O' }],
    [],
    'other.jpg arrived, and was not sent there',
  ],
  [
    'of nobody',
    [...all, { name: '.a.jpg.1.part', digest: 'A' }],
    [],
    '.a.jpg.1.part arrived, and was not sent there',
  ],
  [
    'failed without a text',
    all.slice(0, 1),
    [{ name: 'b.jpg', reason: null }],
    'b.jpg failed without a reason',
  ],
  [
    'sent and failed',
    all,
    [{ name: 'b.jpg', reason: 'was not sent on: no' }],
    'b.jpg is in failed/, and arrived',
  ],
])('a file that is %s is reported', (_what, received, failed, loss) => {
  expect(findDropLosses('one', sent(), { received: received.length > 0 ? received : none, failed })).toEqual([
    loss,
  ]);
});
