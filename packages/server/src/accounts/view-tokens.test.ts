import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createViewTokens, maxViewSeconds } from './view-tokens.js';

const secret = Buffer.alloc(32, 1);
const open = (now: number, secrets = [secret]) => createViewTokens({ secrets, clock: () => now });
const access = { accountId: 7, streamId: 1001, keyId: 3 };
const start = 1_800_000_000_000;

test('a token opens its stream for as long as it says, and for an hour at most', () => {
  const { token, expiresAt } = open(start).sign(access, 60);
  expect(expiresAt).toBe(start + 60_000);
  expect(open(start + 59_999).verify(token)).toEqual(access);
  expect(open(start + 60_000).verify(token)).toBeNull();
  expect(open(start).sign(access, 1e9).expiresAt).toBe(start + maxViewSeconds * 1000);
});

test('a token of before a change of keys stays good, one of another installation is none', () => {
  const { token } = open(start).sign(access, 60);
  expect(open(start, [Buffer.alloc(32, 2), secret]).verify(token)).toEqual(access);
  expect(open(start, [Buffer.alloc(32, 2)]).verify(token)).toBeNull();
});

test('no other text is a token', () => {
  const tokens = open(start);
  const { token } = tokens.sign(access, 60);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .tuple(fc.nat(token.length - 1), fc.constantFrom(...'0123456789.-_Az'))
          .map(([at, letter]) => token.slice(0, at) + letter + token.slice(at + 1)),
        fc.nat(token.length - 1).map((length) => token.slice(0, length)),
      ),
      (text) => {
        const found = tokens.verify(text);
        // The last letter of the seal has bits that mean nothing.
        if (text.slice(0, -1) !== token.slice(0, -1)) expect(found).toBeNull();
      },
    ),
  );
});
