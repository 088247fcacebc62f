import { StorageError } from '../storage-error.js';
import type { KeyVerdict } from './judge-keys.js';

const why: Readonly<Record<Exclude<KeyVerdict, 'good' | 'wrong'>, string>> = {
  'new-key':
    'is new, and no service on this database seals with it yet: start a service with these settings first',
  'lacks-previous':
    'is the new one of a replacement that has not ended: add the key before to LYNCEUS_ACCEPTED_SECRET_KEYS until "lynceus secret-key reseal" was run',
  late: 'is the one before: everything is sealed with the new one by now. Make the new one LYNCEUS_SECRET_KEY, as the other services have it',
  unfinished:
    'would begin another replacement before the last one has ended: run "lynceus secret-key reseal" with the keys of the running services first',
};

/** @param name of the sealing key, as messages call it */
export function explainKeys(verdict: keyof typeof why, name: string): StorageError {
  return new StorageError('wrong-key', `${name} ${why[verdict]}. Nothing was changed (docs/security.md).`);
}
