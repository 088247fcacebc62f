/** A value of an EXIF field: text, 8, 16 or 32 bit numbers, or bytes that may depend on where they come to lie. */
export type Field =
  | { readonly tag: number; readonly text: string }
  | { readonly tag: number; readonly octets: readonly number[] }
  | { readonly tag: number; readonly shorts: readonly number[] }
  | { readonly tag: number; readonly longs: readonly number[] }
  | { readonly tag: number; readonly bytes: number; readonly at: (offset: number) => Buffer };

/**
 * A directory of a TIFF, little end first (TIFF 6.0, section 2), that begins `start` bytes into it: its fields, sorted by tag, and
 * behind them the values that do not fit there.
 */
export function exifDirectory(start: number, fields: readonly Field[], next = 0): Buffer {
  const table = Buffer.alloc(2 + fields.length * 12 + 4);
  table.writeUInt16LE(fields.length, 0);
  table.writeUInt32LE(next, table.length - 4);
  const values: Buffer[] = [];
  let end = start + table.length;
  for (const [index, field] of fields.entries()) {
    const { type, count, value } = encode(field, end);
    const entry = 2 + index * 12;
    table.writeUInt16LE(field.tag, entry);
    table.writeUInt16LE(type, entry + 2);
    table.writeUInt32LE(count, entry + 4);
    if (value.length <= 4) {
      value.copy(table, entry + 8);
    } else {
      table.writeUInt32LE(end, entry + 8);
      const padded = Buffer.concat([value, Buffer.alloc(value.length % 2)]);
      values.push(padded);
      end += padded.length;
    }
  }
  return Buffer.concat([table, ...values]);
}

/** What stands before the first directory, which begins 8 bytes in. */
export const tiffHeader = Buffer.from('II*\0\x08\0\0\0', 'latin1');

function encode(field: Field, offset: number): { type: number; count: number; value: Buffer } {
  if ('text' in field) {
    const value = Buffer.from(`${field.text}\0`, 'latin1');
    return { type: 2, count: value.length, value };
  }
  if ('at' in field) return { type: 7, count: field.bytes, value: field.at(offset) };
  if ('octets' in field) return { type: 1, count: field.octets.length, value: Buffer.from(field.octets) };
  const numbers = 'shorts' in field ? field.shorts : field.longs;
  const bytes = 'shorts' in field ? 2 : 4;
  const value = Buffer.alloc(numbers.length * bytes);
  for (const [index, number] of numbers.entries()) value.writeUIntLE(number, index * bytes, bytes);
  return { type: bytes === 2 ? 3 : 4, count: numbers.length, value };
}
