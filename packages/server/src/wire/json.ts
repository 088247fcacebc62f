/**
 * JSON as clients of both generations expect it: `", "` and `": "` between items, ASCII alone, keys in the order in
 * which they were put. Some clients cut values out of the text at fixed distances.
 */

/** A number that is always written with a decimal point and never with an exponent: every score is one. */
export class Decimal {
  constructor(readonly value: number) {}
}

export type WireValue = string | number | boolean | null | Decimal | readonly WireValue[] | WireFields;

/** An object; keys in the order in which they are written. */
export interface WireFields {
  readonly [key: string]: WireValue | undefined;
}

/**
 * The text of `value`. A key whose value is undefined is left out. Throws on a number that is not finite, since
 * JSON cannot hold one and a silent null would break typed clients.
 */
export function writeJson(value: WireValue): string {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return plainNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof Decimal) return writeDecimal(value.value);
  return isList(value) ? writeList(value) : writeObject(value);
}

// Array.isArray does not narrow a readonly array away.
function isList(value: object): value is readonly WireValue[] {
  return Array.isArray(value);
}

function writeList(items: readonly WireValue[]): string {
  let text = '[';
  let separator = '';
  for (const item of items) {
    text += separator + writeJson(item);
    separator = ', ';
  }
  return `${text}]`;
}

function writeObject(object: { readonly [key: string]: WireValue | undefined }): string {
  let text = '{';
  let separator = '';
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    text += `${separator}${writeString(key)}: ${writeJson(value)}`;
    separator = ', ';
  }
  return `${text}}`;
}

const beyondAscii = /[\u007f-\uffff]/g;

// JSON.stringify escapes control characters, quotes and lone surrogates; what is left beyond ASCII is ours.
function writeString(value: string): string {
  const quoted = JSON.stringify(value);
  return quoted.replace(beyondAscii, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function writeDecimal(value: number): string {
  const text = plainNumber(value);
  return text.includes('.') ? text : `${text}.0`;
}

// The shortest digits that read back as the same number, without the exponent that String() gives below 1e-6 and
// from 1e21.
function plainNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('A number for JSON must be finite');
  const text = String(value);
  const at = text.indexOf('e');
  if (at < 0) return text;
  const sign = value < 0 ? '-' : '';
  const mantissa = text.slice(sign.length, at);
  const exponent = Number(text.slice(at + 1));
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + exponent;
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : `${sign}${digits.padEnd(point, '0')}`;
}
