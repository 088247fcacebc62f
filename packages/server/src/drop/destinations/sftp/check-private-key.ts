import ssh2 from 'ssh2';
import { DeliveryError } from '../destination.js';
import type { DestinationSecrets } from '../destination-settings.js';

/** Throws `settings` when a key cannot be used. */
export function checkPrivateKey({ privateKey, passphrase }: DestinationSecrets): void {
  if (privateKey === undefined) return;
  if (/^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(privateKey.trim())) {
    // One with a passphrase is only opened when it is used, for that takes time by design.
    if (passphrase !== undefined) return;
    const parsed = ssh2.utils.parseKey(privateKey);
    if (!(parsed instanceof Error)) return;
    const isLocked = /encrypted|passphrase/i.test(parsed.message);
    throw new DeliveryError(
      'settings',
      isLocked ? 'private_key needs its passphrase' : 'private_key cannot be read',
    );
  }
  throw new DeliveryError('settings', 'private_key is no private key in the form of OpenSSH or PEM');
}
