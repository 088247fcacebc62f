import { createHash } from 'node:crypto';

/** A key in every form in which it would still be one: as it is, cut, and in the codings that text is put into. */
export function formsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key);
  // Base64 of a longer text holds one of three alignments of the key; its ends depend on the neighbours.
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before, 'x'), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [
    key,
    key.slice(16),
    key.slice(0, -8),
    encodeURIComponent(key),
    [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    bytes.toString('hex'),
    [...key].reverse().join(''),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** What the database keeps of a key: its hash, which must not go anywhere else. */
export function hashesOf(key: string): readonly string[] {
  const hash = createHash('sha256').update(key).digest();
  return [hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')];
}

/** The forms that are found in some text or bytes, by name of the key. */
export function findKeys(
  bytes: string | Buffer,
  keys: Readonly<Record<string, string>>,
  withHashes: boolean,
): readonly string[] {
  const text = (typeof bytes === 'string' ? bytes : bytes.toString('latin1')).toLowerCase();
  return Object.entries(keys).flatMap(([name, key]) =>
    [...formsOf(key), ...(withHashes ? hashesOf(key) : [])]
      .filter((form) => text.includes(form.toLowerCase()))
      .map((form) => `${name}: ${form} in ${contextOf(text, form)}`),
  );
}

function contextOf(text: string, form: string): string {
  const at = text.indexOf(form.toLowerCase());
  return text.slice(Math.max(0, at - 60), at + 60);
}
