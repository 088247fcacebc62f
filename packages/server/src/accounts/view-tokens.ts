import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.js';

/** What a token opens: the live view of one stream, for as long as the key that asked for it is good. */
export interface ViewAccess {
  readonly accountId: number;
  readonly streamId: number;
  readonly keyId: number;
}

/** Tokens that let whoever has one watch one stream for a while, as in the address of an image of a page. */
export type ViewTokens = ReturnType<typeof createViewTokens>;

export const maxViewSeconds = 3600;
/** Of the clocks of two services on one database. */
const maxClockDifferenceMs = 60_000;
const number = '([1-9][0-9]{0,15})';
const pattern = new RegExp(`^${number}\\.${number}\\.${number}\\.([0-9]{1,13})\\.([A-Za-z0-9_-]{43})$`);

/** HMAC-SHA-256 (RFC 2104) over account, stream, key and end. */
export function createViewTokens({
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
    /** @param ttlSeconds at most an hour */
    sign(
      { accountId, streamId, keyId }: ViewAccess,
      ttlSeconds: number,
    ): { readonly token: string; readonly expiresAt: number } {
      const endSeconds = Math.floor(clock() / 1000) + Math.min(ttlSeconds, maxViewSeconds);
      const what = `${accountId}.${streamId}.${keyId}.${endSeconds}`;
      return {
        token: `${what}.${sealOf(what, signing).toString('base64url')}`,
        expiresAt: endSeconds * 1000,
      };
    },
    /** Null for a token that is not ours, whose time is over, or whose end is farther off than that of any token of ours. */
    verify(token: string): ViewAccess | null {
      const [, accountId, streamId, keyId, endSeconds, seal = ''] = pattern.exec(token) ?? [];
      const given = Buffer.from(seal, 'base64url');
      const isGood = [signing, ...others].some((secret) => {
        const wanted = sealOf(`${accountId}.${streamId}.${keyId}.${endSeconds}`, secret);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      if (!isGood) return null;
      const leftMs = Number(endSeconds) * 1000 - clock();
      if (leftMs <= 0 || leftMs > maxViewSeconds * 1000 + maxClockDifferenceMs) return null;
      return { accountId: Number(accountId), streamId: Number(streamId), keyId: Number(keyId) };
    },
  };
}
