import { randomUUID } from 'node:crypto';

/** More accounts than there can be rows of. */
const maxOwner = 2 ** 48 - 1;
const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-([0-9a-f]{12})(?:$|[-.])/;
const plain = /^[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{3}([0-9a-f]{12})$/;

/**
 * An id for bytes of an account: a UUID of version 8 (RFC 9562, 5.8) whose last 48 bits are the account and whose other 74 are
 * random. So a file that no row names tells whose it is: when the account is deleted, it is found.
 */
export function ownedUuid(accountId: number): string {
  if (!Number.isInteger(accountId) || accountId < 0 || accountId > maxOwner) {
    throw new RangeError('this is no id of an account');
  }
  // Quicker than bytes by themselves, of which the system is asked each time; its version and variant are where ours are.
  const bytes = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  bytes.writeUIntBE(accountId, 10, 6);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Whose bytes have this id, or one made of it, with or without dashes; null for an id from before that was in it. */
export function ownerOfId(id: string): number | null {
  const owner = (dashed.exec(id) ?? plain.exec(id))?.[1];
  return owner === undefined ? null : Number.parseInt(owner, 16);
}
