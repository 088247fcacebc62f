import { Secret, TOTP } from 'otpauth';

/** Time-based one-time codes (RFC 6238) as every authenticator has them: SHA-1, six digits, 30 seconds. */
const form = { issuer: 'Lynceus', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps before and after the present one that count too: clocks differ, and people type slowly. */
const drift = 1;
/** RFC 4226, section 4: 160 bits are recommended. */
const secretBytes = 20;

/** In base 32, as people type it. */
export function makeTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What an authenticator reads from a square. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...form, label: email, secret: Secret.fromBase32(secret) }).toString();
}

/** The step that a code is of; null when it is of none that counts now. */
export function stepOfCode(secret: string, code: string, timeMs: number): number | null {
  const token = code.replace(/\s/g, '');
  // The library compares bytes, and throws for what has as many characters and more bytes, such as digits of other scripts.
  if (!/^[0-9]{6}$/.test(token)) return null;
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token, timestamp: timeMs, window: drift });
  return delta === null ? null : TOTP.counter({ period: form.period, timestamp: timeMs }) + delta;
}
