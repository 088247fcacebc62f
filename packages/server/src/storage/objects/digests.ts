import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ObjectBody } from './bucket.js';

/** What a store compares with what came, and what we compare later; both in hexadecimal digits. */
interface Digests {
  readonly md5: string;
  readonly sha256: string;
}

export function digestPieces(): {
  update(piece: Uint8Array): void;
  /** Of all pieces so far; there may be more. */
  digest(): Digests;
} {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  return {
    update(piece) {
      md5.update(piece);
      sha256.update(piece);
    },
    digest: () => ({ md5: md5.copy().digest('hex'), sha256: sha256.copy().digest('hex') }),
  };
}

/** What is in memory, such as a text. */
export function bodyOf(content: string | Uint8Array): ObjectBody {
  const bytes = Buffer.from(content);
  const digests = digestPieces();
  digests.update(bytes);
  return { kind: 'bytes', bytes, sizeBytes: bytes.length, ...digests.digest() };
}

/** Of a part of a file, both ends included. */
export async function md5OfRange(
  path: string,
  range: { readonly start: number; readonly end: number },
): Promise<string> {
  const hash = createHash('md5');
  for await (const piece of createReadStream(path, range)) hash.update(piece);
  return hash.digest('hex');
}
