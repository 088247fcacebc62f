import { DeliveryError } from './destination.js';
import type { DestinationSecrets } from './destination-settings.js';

/** Throws `settings` for what is no private key. */
export function checkKeyForm({ privateKey }: DestinationSecrets): void {
  if (privateKey === undefined || /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(privateKey.trim())) return;
  throw new DeliveryError('settings', 'private_key is no private key in the form of OpenSSH or PEM');
}

/** Throws `settings` for a key that cannot be used. One with a passphrase is decrypted later, because that is slow by design. */
export async function checkPrivateKey(secrets: DestinationSecrets): Promise<void> {
  checkKeyForm(secrets);
  const { privateKey, passphrase } = secrets;
  if (privateKey === undefined || passphrase !== undefined) return;
  // Few services deliver by SFTP: the others need not load it.
  const { default: ssh2 } = await import('ssh2');
  const parsed = ssh2.utils.parseKey(privateKey);
  if (!(parsed instanceof Error)) return;
  const isLocked = /encrypted|passphrase/i.test(parsed.message);
  throw new DeliveryError(
    'settings',
    isLocked ? 'private_key needs its passphrase' : 'private_key cannot be read',
  );
}
