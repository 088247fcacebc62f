import { StorageError } from '../storage-error.js';
import { keyCheckOf } from './key-check.js';
import { parseKey } from './key-file.js';
import type { KeySettings } from './key-source.js';

/**
 * The keys of an installation that a service has, 32 bytes each: the first seals and signs, all of them open and verify. There is
 * more than one while the key is being replaced.
 */
export type KeyRing = readonly [sealing: Uint8Array, ...others: Uint8Array[]];

/** What others may know of the keys: their check values, that of the sealing key first. */
export type RingChecks = readonly [sealing: string, ...others: string[]];

/** The key that seals, and those of the setting `acceptedSecretKeys`, which only open. */
export function ringOf(sealing: Uint8Array, { acceptedSecretKeys = '' }: KeySettings): KeyRing {
  const others = acceptedSecretKeys
    .split(/[\s,]+/)
    .filter((text) => text !== '')
    .map((text) => {
      const key = parseKey(text);
      if (key) return key;
      throw new StorageError(
        'access',
        'The setting acceptedSecretKeys (LYNCEUS_ACCEPTED_SECRET_KEYS) has a text that is no key: each is 32 bytes as base64, separated by commas.',
      );
    });
  const isFirst = (key: Buffer, at: number) => others.findIndex((other) => other.equals(key)) === at;
  return [sealing, ...others.filter((key, at) => !key.equals(sealing) && isFirst(key, at))];
}

export function checksOf([sealing, ...others]: KeyRing): RingChecks {
  return [keyCheckOf(sealing), ...others.map(keyCheckOf)];
}
