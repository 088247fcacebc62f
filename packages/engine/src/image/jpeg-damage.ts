import { EngineError } from '../errors.js';

/** Share of an image that may be damaged: some cameras write fewer rows than they declare. */
const maxDamage = 1 / 32;

/** Warnings of libjpeg that pixels are wrong. A few bytes too many before a marker are padding. */
const ofPixels =
  /premature end of data|bad Huffman code|bad arithmetic code|instead of RST|\d{3,} extraneous bytes/;

/**
 * Refuses a JPEG of which more than a small part does not decode to what was encoded.
 * @param warning Of libjpeg, which decides for a progressive image: there nearly every damage causes one.
 */
export function refuseDamage(bytes: Buffer, warning = ''): void {
  const share = damagedShare(bytes);
  const isDamaged = share === undefined ? ofPixels.test(warning) || isOfAsciiMode(bytes) : share > maxDamage;
  if (!isDamaged) return;
  const extent = share === undefined ? '' : `, at least ${Math.round(share * 100)} % of its pixels`;
  throw new EngineError(
    'image-corrupt',
    `the image is truncated or damaged${extent}: send the file again (by FTP in binary mode), or save it again`,
  );
}

/** Whether each line feed of the pixels follows a carriage return. Of other bytes one in 256 does. */
function isOfAsciiMode(bytes: Buffer): boolean {
  let count = 0;
  for (let at = bytes.indexOf('\xff\xda', 0, 'latin1'); ; count += 1) {
    at = bytes.indexOf('\n', at + 1);
    if (at < 0) return count > 16;
    if (bytes[at - 1] !== 0x0d) return false;
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
 * Share of a sequential JPEG with Huffman codes (ITU-T T.81, annex F) that follows the first code which no encoder writes: its
 * codes are read, and no pixel is computed. libjpeg reads on at wrong bits, mostly without a warning: after an FTP transfer in
 * ASCII mode, or a block of another file, it warns of a sixth of the images. Undefined for other kinds of JPEG.
 */
function damagedShare(bytes: Buffer): number | undefined {
  const tables = new Map<number, Buffer>();
  let frame: Frame | undefined;
  let interval = 0;
  let damaged: number | undefined;
  let at = 2;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    const marker = bytes[at + 1];
    if (at < 0 || at + 4 > bytes.length || marker === undefined || marker === 0xd9) return damaged;
    if (marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const end = Math.min(bytes.length, at + 2 + Math.max(2, bytes.readUInt16BE(at + 2)));
    const segment = bytes.subarray(at + 4, end);
    at = end;
    if (marker === 0xc4) keepTables(segment, tables);
    else if (marker === 0xc0 || marker === 0xc1) frame = readFrame(segment);
    else if (marker === 0xdd && segment.length >= 2) interval = segment.readUInt16BE(0);
    else if (marker === 0xda && frame) {
      const scan = readScan(segment, frame, tables);
      if (!scan) return damaged;
      const read = readUnits(bytes, end, scan, interval);
      damaged = Math.max(damaged ?? 0, 1 - read.sound / scan.units);
      at = read.end;
    }
  }
}

/** Tables are built when a scan uses them: a file may define thousands. */
function keepTables(segment: Buffer, tables: Map<number, Buffer>): void {
  for (let at = 0; at + 17 <= segment.length; ) {
    const counts = segment.subarray(at + 1, at + 17);
    const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
    tables.set(segment[at] ?? 0, segment.subarray(at + 1, end));
    at = end;
  }
}

function readFrame(segment: Buffer): Frame | undefined {
  const count = segment[5] ?? 0;
  if (segment[0] !== 8 || segment.length < 6 + 3 * count) return undefined;
  const parts = Array.from({ length: count }, (_, nth) => {
    const [id = 0, sampling = 0] = segment.subarray(6 + 3 * nth);
    return [id, { across: sampling >> 4, down: sampling & 15 }] as const;
  });
  return { height: segment.readUInt16BE(1), width: segment.readUInt16BE(3), parts: new Map(parts) };
}

interface Scan {
  /** Of a unit, in their order. */
  readonly blocks: readonly Block[];
  readonly units: number;
}

function readScan(
  segment: Buffer,
  { width, height, parts }: Frame,
  tables: ReadonlyMap<number, Buffer>,
): Scan | undefined {
  const scanned = Array.from({ length: segment[0] ?? 0 }, (_, nth) => {
    const [id = 0, codes = 0] = segment.subarray(1 + 2 * nth);
    const [part, dc, ac] = [parts.get(id), tables.get(codes >> 4), tables.get(0x10 | (codes & 15))];
    return part && dc && ac && { part, block: { dc: new Codes(dc), ac: new Codes(ac) } };
  });
  const [across, down] = [
    Math.max(...[...parts.values()].map((part) => part.across)),
    Math.max(...[...parts.values()].map((part) => part.down)),
  ];
  const blocks: Block[] = [];
  for (const item of scanned) {
    if (!item) return undefined;
    const { part, block } = item;
    for (let nth = scanned.length === 1 ? 1 : part.across * part.down; nth > 0; nth -= 1) blocks.push(block);
  }
  const alone = scanned.length === 1 ? scanned[0]?.part : undefined;
  const unitsOf = (length: number, own: number, most: number) =>
    alone ? Math.ceil(Math.ceil((length * own) / most) / 8) : Math.ceil(length / 8 / most);
  const units = unitsOf(width, alone?.across ?? 1, across) * unitsOf(height, alone?.down ?? 1, down);
  return units >= 1 && blocks.length > 0 ? { blocks, units } : undefined;
}

/** Number of sound units of a scan, and where its data end. */
function readUnits(
  bytes: Buffer,
  from: number,
  { blocks, units }: Scan,
  interval: number,
): { sound: number; end: number } {
  let sound = 0;
  let at = from;
  for (let nth = 0, left = units; left > 0; nth += 1) {
    const wanted = Math.min(interval || left, left);
    const { data, end } = readSegment(bytes, at);
    sound += countSound(data, blocks, wanted);
    left -= wanted;
    at = end;
    // Restart markers count from 0 to 7.
    if (left > 0 && bytes[at + 1] === 0xd0 + (nth & 7)) at += 2;
    else break;
  }
  return { sound, end: at };
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

/** Bytes behind the last unit that padding explains, whatever they are. */
const maxPaddingBytes = 64;

function countSound(data: Buffer, blocks: readonly Block[], units: number): number {
  const bits = data.length * 8;
  let bit = 0;
  for (let unit = 0; unit < units; unit += 1) {
    for (const { dc, ac } of blocks) {
      const first = dc.find(next16(data, bit));
      if (first === 0 || (first & 255) > maxDcBits) return unit;
      bit += (first >>> 8) + (first & 255);
      for (let nth = 1; nth < 64; ) {
        const found = ac.find(next16(data, bit));
        if (found === 0) return unit;
        const [zeros, size] = [(found >>> 4) & 15, found & 15];
        bit += (found >>> 8) + size;
        // End of the block.
        if (size === 0 && zeros !== 15) break;
        nth += zeros + 1;
        // Zeros beyond the block are harmless; a coefficient there has no place.
        if (nth > 64 && size > 0) return unit;
      }
      if (bit > bits) return unit;
    }
  }
  // More data than the image needs were read at wrong bits; where that began is not known.
  const rest = data.subarray(Math.ceil(bit / 8));
  const isPadding =
    rest.length <= maxPaddingBytes ||
    (rest.length <= data.length * maxDamage && rest.every((byte) => byte === rest[0]));
  return isPadding ? units : 0;
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
