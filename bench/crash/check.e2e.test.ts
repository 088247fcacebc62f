import { expect, test } from 'vitest';
import type { Visitor } from '../load/visitor.js';
import { findLosses } from './check.js';
import { createLedger } from './ledger.js';

/** A service that has forgotten everything it ever acknowledged. */
const forgetful: Visitor = {
  ask: async ({ path }) => {
    const outcome = path.startsWith('/api/files/') ? '404 not_found' : '200';
    return { outcome, text: '{"total": 3, "data": [], "next_cursor": null}', fileId: undefined };
  },
  close: async () => undefined,
};
const keys = { unlimited: 'a', limited: 'b' };

test('each acknowledged record that is missing is reported', async () => {
  const ledger = createLedger();
  ledger.keys.set(7, { key: 'c', names: ['shop'], isRevoked: 'no' });
  ledger.files.set('f1', { payer: 'limited', isDeleted: 'no' });
  ledger.files.set('f2', { payer: 'limited', isDeleted: 'yes' });
  ledger.files.set('f3', { payer: 'limited', isDeleted: 'maybe' });
  Object.assign(ledger.calls.unlimited, { sent: 5, answered: 4, counted: 4 });
  Object.assign(ledger.calls.limited, { sent: 2, answered: 1, counted: 0 });
  expect(await findLosses(forgetful, keys, ledger)).toEqual([
    'key 7 is gone',
    'file f1: deleted no, answered 404 not_found',
    'unlimited: 3 calls counted of 4 answered',
    'unlimited: 3 calls counted after 4 before',
    'limited: 3 calls counted of 2 sent',
  ]);
});

test('an unanswered change may have happened or not', async () => {
  const ledger = createLedger();
  ledger.files.set('f1', { payer: 'unlimited', isDeleted: 'maybe' });
  Object.assign(ledger.calls.unlimited, { sent: 5, answered: 2, counted: 2 });
  Object.assign(ledger.calls.limited, { sent: 3, answered: 3, counted: 3 });
  expect(await findLosses(forgetful, keys, ledger)).toEqual([]);
});
