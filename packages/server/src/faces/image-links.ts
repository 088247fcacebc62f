import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.js';

const ttlMs = 3_600_000;
/** Of the clocks of two services on one database. */
const maxClockDifferenceMs = 60_000;
const pattern = /^([1-9][0-9]{0,15})\.([1-9][0-9]{0,15})\.([0-9]{1,13})\.([A-Za-z0-9_-]{43})$/;

/**
 * Tokens that let whoever has one see one face image for a while, without a key.
 * HMAC-SHA-256 (RFC 2104) over account, image and end.
 */
export function createImageLinks({
  secrets: [signing, ...others],
  clock,
}: {
  /** The first signs; a token that any of them signed is good. */
  readonly secrets: readonly Uint8Array[];
  readonly clock: Clock;
}) {
  if (signing === undefined) throw new Error('there is no key');
  const sealOf = (what: string, secret: Uint8Array) => createHmac('sha256', secret).update(what).digest();
  return {
    sign(accountId: number, imageId: number): string {
      const what = `${accountId}.${imageId}.${Math.ceil((clock() + ttlMs) / 1000)}`;
      return `${what}.${sealOf(what, signing).toString('base64url')}`;
    },
    /** Null for a token that is not ours, whose time is over, or whose end is farther off than that of any token of ours. */
    verify(token: string): { readonly accountId: number; readonly imageId: number } | null {
      const [, accountId, imageId, endSeconds, seal = ''] = pattern.exec(token) ?? [];
      const given = Buffer.from(seal, 'base64url');
      const isGood = [signing, ...others].some((secret) => {
        const wanted = sealOf(`${accountId}.${imageId}.${endSeconds}`, secret);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      if (!isGood) return null;
      const leftMs = Number(endSeconds) * 1000 - clock();
      if (leftMs <= 0 || leftMs > ttlMs + maxClockDifferenceMs) return null;
      return { accountId: Number(accountId), imageId: Number(imageId) };
    },
  };
}
