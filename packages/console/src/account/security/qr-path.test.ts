import { expect, test } from 'vitest';
import { qrPath } from './set-up-factor.js';

test('a QR code has its three finder patterns, within its margin', () => {
  const { path, size } = qrPath(
    'otpauth://totp/Lynceus:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Lynceus',
  );
  for (const [x, y] of [
    [2, 2],
    [size - 3, 2],
    [2, size - 3],
  ]) {
    expect(path).toContain(`M${x} ${y}h1v1h-1z`);
  }
  expect(path).not.toMatch(/M[01] |M\d+ [01]h/);
});
