import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { ServiceError } from '../core/service-error.js';

/** Of one drop. */
export const maxKeys = 20;
/** As it is kept. */
export const maxKeyLineLength = 4096;

/** A public key of SSH (RFC 4253, 6.6). */
interface SshPublicKey {
  readonly type: string;
  /** As it is sent in the protocol. */
  readonly blob: Buffer;
  readonly comment: string;
}

/** By the name of the type (RFC 5656, 10.1): the curve as RFC 7518 names it, and the bytes of a coordinate. */
const curves: ReadonlyMap<string, readonly [crv: string, bytes: number]> = new Map([
  ['ecdsa-sha2-nistp256', ['P-256', 32]],
  ['ecdsa-sha2-nistp384', ['P-384', 48]],
  ['ecdsa-sha2-nistp521', ['P-521', 66]],
]);
const ed25519Bytes = 32;
/** Shorter ones can be broken; longer ones take long to check. */
const rsaBits = { min: 2048, max: 8192 };

/** Lines as they are kept, each once. Throws `wrong_parameters` for one that is no public key, and for more than are kept. */
export function checkAuthorizedKeys(lines: readonly string[]): string[] {
  const kept = new Map<string, string>();
  lines.forEach((line, index) => {
    const read = readPublicKey(line);
    if (typeof read === 'string')
      throw new ServiceError('wrong_parameters', `settings.authorized_keys[${index}] ${read}`);
    const encoded = read.blob.toString('base64');
    if (!kept.has(encoded)) kept.set(encoded, `${read.type} ${encoded} ${read.comment}`.trimEnd());
  });
  const all = [...kept.values()];
  if (all.length > maxKeys)
    throw new ServiceError('wrong_parameters', `settings.authorized_keys has more than ${maxKeys} keys`);
  if (all.some((line) => line.length > maxKeyLineLength))
    throw new ServiceError(
      'wrong_parameters',
      `settings.authorized_keys has a line of more than ${maxKeyLineLength} characters`,
    );
  return all;
}

/** One line of a `.pub` file; a text says what is wrong with it. */
function readPublicKey(line: string): SshPublicKey | string {
  if (line.includes('PRIVATE KEY')) return 'is a private key: give the public one, of the file with .pub';
  const match = /^([a-z0-9@.-]+) +([A-Za-z0-9+/]+={0,2})(?: +(.*))?$/.exec(line.trim());
  if (!match) return 'must be a line such as ssh-ed25519 AAAA… comment';
  const [, type = '', encoded = '', comment = ''] = match;
  const blob = Buffer.from(encoded, 'base64');
  const key = toKeyObject(blob);
  if (key === null || readFields(blob)?.[0]?.toString('latin1') !== type)
    return 'must be a key of the type ssh-ed25519, ecdsa-sha2-nistp256, -nistp384, -nistp521 or ssh-rsa';
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && (bits < rsaBits.min || bits > rsaBits.max))
    return `is an RSA key of ${bits} bits: take one of ${rsaBits.min} to ${rsaBits.max} bits, or ssh-ed25519`;
  return { type, blob, comment: comment.replace(/\p{C}/gu, '?') };
}

/** The key for checks of signatures; null for a type that is not known, and for what is no key. */
export function toKeyObject(blob: Buffer): KeyObject | null {
  const jwk = toJwk(readFields(blob) ?? []);
  if (jwk === null) return null;
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    // Not a point of its curve.
    return null;
  }
}

function toJwk([name, ...fields]: readonly Buffer[]): JsonWebKey | null {
  const type = name?.toString('latin1') ?? '';
  const [first, second] = fields;
  if (first === undefined) return null;
  if (type === 'ssh-ed25519') {
    if (first.length !== ed25519Bytes || second !== undefined) return null;
    return { kty: 'OKP', crv: 'Ed25519', x: first.toString('base64url') };
  }
  if (second === undefined || fields.length !== 2) return null;
  if (type === 'ssh-rsa')
    return {
      kty: 'RSA',
      e: toUnsigned(first).toString('base64url'),
      n: toUnsigned(second).toString('base64url'),
    };
  const [crv, bytes] = curves.get(type) ?? ['', 0];
  // RFC 5480, 2.2: an uncompressed point.
  if (crv === '' || second.length !== 1 + 2 * bytes || second[0] !== 4) return null;
  const x = second.subarray(1, 1 + bytes);
  return { kty: 'EC', crv, x: x.toString('base64url'), y: second.subarray(1 + bytes).toString('base64url') };
}

/** RFC 4251, 5: texts with their length before them. Null unless they fill it. */
function readFields(blob: Buffer): readonly Buffer[] | null {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length) return null;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

/** Without the zero before a number whose first bit is set. */
function toUnsigned(number: Buffer): Buffer {
  return number[0] === 0 ? number.subarray(1) : number;
}
