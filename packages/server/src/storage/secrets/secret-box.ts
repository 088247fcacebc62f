import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.js';

/** Seals texts with the key of the installation, so that a copy of the database tells no password. */
export interface SecretBox {
  /** @param context what the text belongs to: opened for anything else it is refused */
  seal(text: string, context: string): string;
  /** Null when it was sealed with another key than these, for another context, or changed. */
  open(sealed: string, context: string): string | null;
}

/** AES-256 in Galois/counter mode (NIST SP 800-38D): 96-bit nonce, 128-bit tag. */
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const version = 'v1.';

/** Seals with the first of the keys; opens what any of them sealed. */
export function createSecretBox(keys: KeyRing): SecretBox {
  const [sealing, ...others] = keys.map(createBoxOfKey);
  if (sealing === undefined) throw new Error('there is no key');
  return {
    seal: sealing.seal,
    open(sealed, context) {
      for (const box of [sealing, ...others]) {
        const text = box.open(sealed, context);
        if (text !== null) return text;
      }
      return null;
    },
  };
}

/** @param key 32 bytes */
function createBoxOfKey(key: Uint8Array): SecretBox {
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return version + sealed.toString('base64url');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
      if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes) return null;
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes));
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
