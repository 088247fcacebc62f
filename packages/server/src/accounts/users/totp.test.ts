import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { makeTotpSecret, stepOfCode } from './totp.js';

const nowMs = 1_800_000_000_000;
const secret = makeTotpSecret();
const shown = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });

test('a code is six digits, with or without spaces', () => {
  const step = nowMs / 30_000;
  expect(stepOfCode(secret, shown, nowMs)).toBe(step);
  expect(stepOfCode(secret, ` ${shown.slice(0, 3)} ${shown.slice(3)}`, nowMs)).toBe(step);
});

test.each(['٠٠٠٠٠٠', '１２３４５６', '😀😀😀', '1e1111', '-12345', '', `${shown}0`, shown.slice(1)])(
  'all else is a wrong one: %j',
  (code) => {
    expect(stepOfCode(secret, code, nowMs)).toBeNull();
  },
);
