import { EngineError } from '../errors.js';

/** Share of an image that may be damaged: some cameras write fewer rows than they declare. */
const maxDamage = 1 / 32;

/**
 * Warnings of libjpeg that pixels are wrong. Bytes too many before a marker are padding. As libvips stops at the first warning, a
 * harmless one can hide one of these.
 */
const ofPixels = /premature end of data|bad Huffman code|bad arithmetic code|instead of RST/;

export interface Damage {
  /** Share of the pixels that cannot be what was encoded. */
  readonly share: number;
  /** Share of the pixels that is damaged if there is another sign of damage. */
  readonly doubtful: number;
  readonly isOfAsciiMode: boolean;
}

export function findDamage(bytes: Buffer): Damage {
  return { ...(damagedShares(bytes) ?? { share: 0, doubtful: 1 }), isOfAsciiMode: isOfAsciiMode(bytes) };
}

/**
 * Refuses a JPEG of which more than a small part does not decode to what was encoded.
 * @param warning Of libjpeg, which decides for a progressive image: there nearly every damage causes one.
 */
export function refuseDamage({ share, doubtful, isOfAsciiMode }: Damage, warning = ''): void {
  const hasSign = isOfAsciiMode || ofPixels.test(warning);
  if (share <= maxDamage && !(hasSign && share + doubtful > maxDamage)) return;
  const extent = share > maxDamage ? `, at least ${Math.round(share * 100)} % of its pixels` : '';
  throw new EngineError(
    'image-corrupt',
    `the image is truncated or damaged${extent}: send the file again (by FTP in binary mode), or save it again`,
  );
}

/** Whether each line feed of the pixels follows a carriage return. Of other bytes one in 256 does. */
function isOfAsciiMode(bytes: Buffer): boolean {
  let from: number | undefined;
  let to = bytes.length;
  for (const { marker, end } of segmentsOf(bytes)) {
    if (marker === startOfScan) from ??= end;
    if (marker === endOfImage) to = end;
  }
  const pixels = bytes.subarray(from ?? to, to);
  let count = 0;
  for (let at = pixels.indexOf('\n'); at >= 0; at = pixels.indexOf('\n', at + 1)) {
    if (pixels[at - 1] !== 0x0d) return false;
    count += 1;
  }
  return count > 16;
}

interface Segment {
  readonly marker: number;
  readonly content: Buffer;
  readonly end: number;
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Segments up to the end mark, which is the last of them; the data of scans between them are passed over. */
function* segmentsOf(bytes: Buffer): Generator<Segment> {
  let at = 2;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    const marker = bytes[at + 1];
    if (at < 0 || marker === undefined) return;
    if (marker === endOfImage) {
      yield { marker, content: bytes.subarray(at, at), end: at };
      return;
    }
    if (marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (at + 4 > bytes.length) return;
    const end = Math.min(bytes.length, at + 2 + Math.max(2, bytes.readUInt16BE(at + 2)));
    yield { marker, content: bytes.subarray(at + 4, end), end };
    at = end;
  }
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly parts: ReadonlyMap<number, Part>;
}

/** Of a colour: its blocks in a unit. */
interface Part {
  readonly across: number;
  readonly down: number;
}

interface Block {
  readonly dc: Codes;
  readonly ac: Codes;
}

/**
 * Shares of a sequential JPEG with Huffman codes (ITU-T T.81, annex F) that follow the first code which no encoder writes: its
 * codes are read, and no pixel is computed. libjpeg reads on at wrong bits, mostly without a warning: after an FTP transfer in
 * ASCII mode, or a block of another file, it warns of a sixth of the images. Undefined for other kinds of JPEG. Each colour is
 * read once, however many scans the file has.
 */
function damagedShares(bytes: Buffer): Omit<Damage, 'isOfAsciiMode'> | undefined {
  const tables = new Map<number, Table>();
  const unread = new Set<number>();
  let frame: Frame | undefined;
  let interval = 0;
  let found: Omit<Damage, 'isOfAsciiMode'> | undefined;
  for (const { marker, content, end } of segmentsOf(bytes)) {
    if (marker === 0xc4) keepTables(content, tables);
    else if (marker === 0xc0 || marker === 0xc1) {
      if (frame) return found;
      frame = readFrame(content);
      for (const id of frame?.parts.keys() ?? []) unread.add(id);
    } else if (marker === 0xdd && content.length >= 2) interval = content.readUInt16BE(0);
    else if (marker === startOfScan && frame) {
      const scan = readScan(content, frame, tables);
      if (!scan?.ids.every((id) => unread.delete(id))) return found;
      const { sound, doubtful } = readUnits(bytes, end, scan, interval);
      found = {
        share: Math.max(found?.share ?? 0, 1 - sound / scan.units),
        doubtful: Math.max(found?.doubtful ?? 0, doubtful / scan.units),
      };
    }
  }
  return found;
}

/** Codes are built when a scan uses them: a file may define thousands of tables. */
interface Table {
  readonly bytes: Buffer;
  codes?: Codes;
}

function codesOf(table: Table | undefined): Codes | undefined {
  if (table) table.codes ??= new Codes(table.bytes);
  return table?.codes;
}

function keepTables(segment: Buffer, tables: Map<number, Table>): void {
  for (let at = 0; at + 17 <= segment.length; ) {
    const counts = segment.subarray(at + 1, at + 17);
    const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
    tables.set(segment[at] ?? 0, { bytes: segment.subarray(at + 1, end) });
    at = end;
  }
}

/** Undefined for what libjpeg refuses or reads in a way of its own, such as two colours with one id. */
function readFrame(segment: Buffer): Frame | undefined {
  const count = segment[5] ?? 0;
  if (segment[0] !== 8 || segment.length < 6 + 3 * count) return undefined;
  const parts = new Map(
    Array.from({ length: count }, (_, nth) => {
      const [id = 0, sampling = 0] = segment.subarray(6 + 3 * nth);
      return [id, { across: sampling >> 4, down: sampling & 15 }] as const;
    }),
  );
  const isUsual = [...parts.values()].every(({ across, down }) => isOneToFour(across) && isOneToFour(down));
  if (!isUsual || !isOneToFour(count) || parts.size !== count) return undefined;
  return { height: segment.readUInt16BE(1), width: segment.readUInt16BE(3), parts };
}

function isOneToFour(value: number): boolean {
  return value >= 1 && value <= 4;
}

interface Scan {
  /** Of its colours. */
  readonly ids: readonly number[];
  /** Of a unit, in their order. */
  readonly blocks: readonly Block[];
  readonly units: number;
  /** Units in a row. */
  readonly across: number;
}

/** ITU-T T.81, B.2.3. */
const maxBlocksOfUnit = 10;

function readScan(
  segment: Buffer,
  { width, height, parts }: Frame,
  tables: ReadonlyMap<number, Table>,
): Scan | undefined {
  const count = segment[0] ?? 0;
  if (!isOneToFour(count)) return undefined;
  const ids: number[] = [];
  const blocks: Block[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const [id = 0, codes = 0] = segment.subarray(1 + 2 * nth);
    const part = parts.get(id);
    const [dc, ac] = [codesOf(tables.get(codes >> 4)), codesOf(tables.get(0x10 | (codes & 15)))];
    if (!part || !dc || !ac) return undefined;
    ids.push(id);
    for (let left = count === 1 ? 1 : part.across * part.down; left > 0; left -= 1) blocks.push({ dc, ac });
  }
  const sizes = [...parts.values()];
  const [mostAcross, mostDown] = [
    Math.max(...sizes.map((part) => part.across)),
    Math.max(...sizes.map((part) => part.down)),
  ];
  const alone = count === 1 ? parts.get(ids[0] ?? 0) : undefined;
  const unitsOf = (length: number, own: number, most: number) =>
    alone ? Math.ceil(Math.ceil((length * own) / most) / 8) : Math.ceil(length / 8 / most);
  const across = unitsOf(width, alone?.across ?? 1, mostAcross);
  const units = across * unitsOf(height, alone?.down ?? 1, mostDown);
  return units >= 1 && blocks.length <= maxBlocksOfUnit ? { ids, blocks, units, across } : undefined;
}

/** Numbers of units of a scan. */
interface Units {
  readonly sound: number;
  /** Part of the sound ones. */
  readonly doubtful: number;
}

function readUnits(bytes: Buffer, from: number, scan: Scan, interval: number): Units {
  let sound = 0;
  let at = from;
  for (let nth = 0, left = scan.units; left > 0; nth += 1) {
    const wanted = Math.min(interval || left, left);
    const { data, end } = readSegment(bytes, at);
    const read = countSound(data, scan, wanted);
    left -= wanted;
    // Without an end mark it may be another file, as in one that was recovered.
    if (read.hasRest && left === 0 && bytes[end + 1] !== endOfImage) {
      return { sound: sound + read.sound, doubtful: wanted };
    }
    // Codes were read at wrong bits; where that began is not known.
    if (!read.hasRest) sound += read.sound;
    at = end;
    // Restart markers count from 0 to 7.
    if (bytes[at + 1] !== 0xd0 + (nth & 7)) break;
    at += 2;
  }
  return { sound, doubtful: 0 };
}

/** Data up to the next marker, without the zeros that follow each 0xff. */
function readSegment(bytes: Buffer, from: number): { data: Buffer; end: number } {
  let end = from;
  for (;;) {
    end = bytes.indexOf(0xff, end);
    if (end < 0) end = bytes.length;
    else if (bytes[end + 1] === 0) {
      end += 2;
      continue;
    } else if (bytes[end + 1] === 0xff) {
      end += 1;
      continue;
    }
    break;
  }
  const data = Buffer.alloc(end - from);
  let length = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    data[length] = byte;
    length += 1;
    if (byte === 0xff) at += 1;
  }
  return { data: data.subarray(0, length), end };
}

/** Bytes behind the last unit that padding explains, whatever they are; more of them are padding if they are equal. */
const maxPaddingBytes = 64;

/** More bits a block than these are not read from padding unless it stands for pixels. */
const maxEmptyBits = 64;

/** Sound units, and whether more follows the last of them than padding and whole rows below the height of the image. */
function countSound(
  data: Buffer,
  { blocks, across }: Scan,
  units: number,
): { sound: number; hasRest: boolean } {
  const padding = startOfPadding(data) * 8;
  let bit = 0;
  let endOfRows = 0;
  for (let unit = 0; ; unit += 1) {
    if (unit >= units && (unit - units) % across === 0) endOfRows = bit;
    const next = readUnit(data, bit, blocks);
    const isSound =
      next !== undefined &&
      next <= data.length * 8 &&
      (bit < padding || next - bit <= maxEmptyBits * blocks.length);
    if (!isSound || (unit >= units && bit >= padding)) {
      return {
        sound: Math.min(unit, units),
        hasRest: unit >= units && padding - endOfRows > maxPaddingBytes * 8,
      };
    }
    bit = next;
  }
}

/** Where equal bytes start at the end of the data; the end of the data when they are few. */
function startOfPadding(data: Buffer): number {
  let at = data.length;
  while (at > 0 && data[at - 1] === data.at(-1)) at -= 1;
  return data.length - at > maxPaddingBytes ? at : data.length;
}

/** The bit behind a unit; undefined when a code is none. */
function readUnit(data: Buffer, from: number, blocks: readonly Block[]): number | undefined {
  let bit = from;
  for (const { dc, ac } of blocks) {
    const first = dc.find(next16(data, bit));
    if (first === 0 || (first & 255) > maxDcBits) return undefined;
    bit += (first >>> 8) + (first & 255);
    for (let nth = 1; nth < 64; ) {
      const found = ac.find(next16(data, bit));
      if (found === 0) return undefined;
      const [zeros, size] = [(found >>> 4) & 15, found & 15];
      bit += (found >>> 8) + size;
      // End of the block.
      if (size === 0 && zeros !== 15) break;
      nth += zeros + 1;
      // Zeros beyond the block are harmless; a coefficient there has no place.
      if (nth > 64 && size > 0) return undefined;
    }
  }
  return bit;
}

function next16(data: Buffer, bit: number): number {
  const at = bit >>> 3;
  const bits = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  return (bits >>> (8 - (bit & 7))) & 0xffff;
}

/** Of samples of 8 bits. */
const maxDcBits = 11;

const shortBits = 9;

/** Huffman codes: `find` takes the next 16 bits, and returns the length of the code x 256 + its value; 0: no code. */
class Codes {
  readonly #short = new Uint16Array(2 ** shortBits);
  readonly #long = new Uint16Array(2 ** 16);

  constructor(table: Buffer) {
    let code = 0;
    let at = 16;
    for (let length = 1; length <= 16; length += 1) {
      for (let count = table[length - 1] ?? 0; count > 0; count -= 1, at += 1, code += 1) {
        const found = (length << 8) | (table[at] ?? 0);
        this.#long.fill(found, code << (16 - length), (code + 1) << (16 - length));
        if (length > shortBits) continue;
        this.#short.fill(found, code << (shortBits - length), (code + 1) << (shortBits - length));
      }
      code <<= 1;
    }
  }

  find(next16: number): number {
    return this.#short[next16 >>> (16 - shortBits)] || (this.#long[next16] ?? 0);
  }
}
