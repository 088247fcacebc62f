import type { BlobPart } from '../../storage/blobs/blob-store.js';

/**
 * The bytes that a `Range` header asks for: `whole` where it asks for several ranges or cannot be read, which a server may ignore;
 * `none` where the file has none of them.
 */
export function parseRange(header: string, sizeBytes: number): BlobPart | 'whole' | 'none' {
  const found = /^\s*bytes\s*=\s*(\d{0,16})\s*-\s*(\d{0,16})\s*$/i.exec(header);
  const [, first = '', last = ''] = found ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const fromBytes = Math.max(0, sizeBytes - Number(last));
    return fromBytes < sizeBytes ? { fromBytes, toBytes: sizeBytes } : 'none';
  }
  const fromBytes = Number(first);
  if (last !== '' && Number(last) < fromBytes) return 'whole';
  if (fromBytes >= sizeBytes) return 'none';
  return { fromBytes, toBytes: last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1) };
}
