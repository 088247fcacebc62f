import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../core/clock.js';
import type { Database } from '../../../storage/database.js';
import { deriveKey } from '../../../storage/secrets/derive-key.js';
import type { KeyRing } from '../../../storage/secrets/key-ring.js';

/**
 * Browsers that a user signed in from, known by a signed cookie that outlives the session. It opens nothing: it exempts its
 * browser from the limits on who is tried from everywhere, and gives it counters of its own.
 */
export interface KnownDevices {
  /** The cookie of a browser that has just signed this user in, beside the other users it is known for. */
  remember(userId: number, cookie: string | undefined): Promise<string>;
  /** The id by which the browser is known for this user; null for one that is not. */
  recognize(cookie: string | undefined, owner: DeviceOwner): string | null;
  /**
   * The cookie after a change that ends what was known of this user's browsers: this one stays known, under its id. Null where it
   * was not known before the change.
   */
  renew(userId: number, cookie: string | undefined, before: DeviceOwner): Promise<string | null>;
  /** For `renew` and `recognize`; null where there is nobody. */
  readOwner(userId: number): Promise<DeviceOwner | null>;
  /** Whether the cookie was made by this installation, for whomever. */
  isOurs(cookie: string | undefined): boolean;
}

/** Whom a cookie is for: it ends when one of the last two changes. */
interface DeviceOwner {
  readonly id: number;
  readonly passwordHash: string;
  readonly sealedTotp: string | null;
}

export const deviceDays = 180;
const dayMs = 86_400_000;
/** Users of one browser; of more the one who signed in longest ago is forgotten. */
const maxMarks = 5;
/** user . device . expiry . state of the user . signature of these */
const markPattern = /^(\d{1,16})\.([\w-]{22})\.(\d{1,16})\.([\w-]{22})\.([\w-]{43})$/;

interface Mark {
  readonly userId: number;
  readonly deviceId: string;
  readonly state: string;
  readonly text: string;
  /** That signed it. */
  readonly key: Uint8Array;
}

/** @param installationKeys which are not in the database: no copy of it can forge a cookie */
export function createKnownDevices({
  database: { query },
  clock,
  installationKeys,
}: {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly installationKeys: KeyRing;
}): KnownDevices {
  const [signing, ...others] = installationKeys.map((each) => deriveKey(each, 'known devices v1'));
  if (signing === undefined) throw new Error('there is no key');
  const sign = (text: string, key: Uint8Array) =>
    createHmac('sha256', key).update(`mark ${text}`).digest('base64url');
  const stateOf = ({ id, passwordHash, sealedTotp }: DeviceOwner, key: Uint8Array) =>
    createHmac('sha256', key)
      .update(`state ${JSON.stringify([id, passwordHash, sealedTotp])}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url');

  const readMark = (text: string): Mark | null => {
    const [, userId, deviceId, expiresAt, state, signature] = markPattern.exec(text) ?? [];
    if (!userId || !deviceId || !expiresAt || !state || !signature) return null;
    const content = text.slice(0, -signature.length - 1);
    const key = [signing, ...others].find((each) => isSame(signature, sign(content, each)));
    if (key === undefined || Number(expiresAt) <= clock()) return null;
    return { userId: Number(userId), deviceId, state, text, key };
  };
  const readMarks = (cookie: string | undefined): Mark[] =>
    (cookie ?? '').split('~', maxMarks).flatMap((text) => readMark(text) ?? []);
  const recognize: KnownDevices['recognize'] = (cookie, owner) =>
    readMarks(cookie).find(
      ({ userId, state, key }) => userId === owner.id && isSame(state, stateOf(owner, key)),
    )?.deviceId ?? null;

  const readOwner: KnownDevices['readOwner'] = async (userId) =>
    (await query
      .selectFrom('web_user')
      .select(['id', 'password_hash as passwordHash', 'sealed_totp as sealedTotp'])
      .where('id', '=', userId)
      .executeTakeFirst()) ?? null;

  /** With a mark of this user in front, in the place of the one before. */
  const mark = (cookie: string | undefined, owner: DeviceOwner, deviceId: string): string => {
    const content = [owner.id, deviceId, clock() + deviceDays * dayMs, stateOf(owner, signing)].join('.');
    const others = readMarks(cookie).filter(({ userId }) => userId !== owner.id);
    return [`${content}.${sign(content, signing)}`, ...others.map(({ text }) => text)]
      .slice(0, maxMarks)
      .join('~');
  };

  return {
    recognize,
    readOwner,
    isOurs: (cookie) => readMarks(cookie).length > 0,

    async remember(userId, cookie) {
      const owner = await readOwner(userId);
      if (!owner) return cookie ?? '';
      return mark(cookie, owner, recognize(cookie, owner) ?? randomBytes(16).toString('base64url'));
    },

    async renew(userId, cookie, before) {
      const deviceId = recognize(cookie, before);
      const owner = deviceId === null ? null : await readOwner(userId);
      return deviceId === null || owner === null ? null : mark(cookie, owner, deviceId);
    },
  };
}

/** In a time that tells nothing of where they differ. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
