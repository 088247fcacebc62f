import { hkdfSync } from 'node:crypto';

const keyBytes = 32;

/**
 * A key for one purpose, of the key of the installation (HKDF with SHA-256, RFC 5869): it tells nothing of that key, nor of
 * those with other labels.
 * @returns 32 bytes
 */
export function deriveKey(installationKey: Uint8Array, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', installationKey, '', `lynceus ${label}`, keyBytes));
}
