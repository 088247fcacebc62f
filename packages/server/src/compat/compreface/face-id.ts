/** Where a stored face image is: numbers of one account. */
interface FaceId {
  readonly accountId: number;
  readonly perceptionId: number;
  readonly imageId: number;
}

const perceptionBits = 36n;
const imageBits = 42n;
/** Before, between and after the version and the variant of a UUID. */
const [lowBits, middleBits] = [62n, 12n];
const dashed = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{12})$/i;

/**
 * Clients of CompreFace keep ids of images as UUIDs. Ours are of version 8 (RFC 9562, 5.8) and hold the numbers, so that the same
 * image always has the same one and no table is needed. They are no secret: what may be read is decided by the key.
 */
export function toFaceId({ accountId, perceptionId, imageId }: FaceId): string {
  const all =
    (BigInt(accountId) << (perceptionBits + imageBits)) |
    (BigInt(perceptionId) << imageBits) |
    BigInt(imageId);
  const high = hex(all >> (lowBits + middleBits), 12);
  const middle = hex((all >> lowBits) & mask(middleBits), 3);
  const low = hex((2n << lowBits) | (all & mask(lowBits)), 16);
  return `${high.slice(0, 8)}-${high.slice(8)}-8${middle}-${low.slice(0, 4)}-${low.slice(4)}`;
}

/** Null for an id that was not made here. */
export function readFaceId(id: string): FaceId | null {
  const found = dashed.exec(id);
  if (found === null) return null;
  const [, first = '', second = '', middle = '', variant = '', last = ''] = found;
  const low = BigInt(`0x${variant}${last}`) & mask(lowBits);
  const all =
    (BigInt(`0x${first}${second}`) << (lowBits + middleBits)) | (BigInt(`0x${middle}`) << lowBits) | low;
  return {
    accountId: Number(all >> (perceptionBits + imageBits)),
    perceptionId: Number((all >> imageBits) & mask(perceptionBits)),
    imageId: Number(all & mask(imageBits)),
  };
}

function mask(bits: bigint): bigint {
  return (1n << bits) - 1n;
}

function hex(value: bigint, length: number): string {
  return value.toString(16).padStart(length, '0');
}
