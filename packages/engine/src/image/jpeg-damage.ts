import { EngineError } from '../errors.js';
import { Codes, maxDcBits, maxEmptyBits, maxPaddingBytes, next16 } from './jpeg-codes.js';
import { Progression } from './jpeg-progression.js';
import { BandReader, type NonZero } from './jpeg-progressive.js';
import { ScanData } from './jpeg-scan-data.js';
import { Work } from './jpeg-work.js';

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Share of an image that may be damaged: some cameras write fewer rows than they declare. */
const maxDamage = 1 / 32;

/**
 * Warnings of libjpeg that pixels are wrong. Bytes too many before a marker are padding. As libvips stops at the first warning, a
 * harmless one can hide one of these.
 */
const ofPixels = /premature end of data|bad Huffman code|bad arithmetic code|instead of RST/;

interface Damage {
  /** Share of the pixels that cannot be what was encoded. */
  readonly share: number;
  /** Share of the pixels that is damaged if there is another sign of damage. */
  readonly doubtful: number;
  readonly isOfAsciiMode: boolean;
}

interface Shares extends Pick<Damage, 'share' | 'doubtful'> {
  /** Whether the scans have every colour, and of a progressive image every bit. */
  readonly hasAllScans: boolean;
}

export function findDamage(bytes: Buffer): Damage {
  const { share, doubtful } = damagedShares(bytes) ?? { share: 0, doubtful: 1 };
  return { share, doubtful, isOfAsciiMode: isOfAsciiMode(bytes) };
}

const endMark = Buffer.from([0xff, endOfImage]);

/**
 * The JPEG with its end mark, where that is all it lacks; undefined where a pixel may be missing too, and where the end mark is there.
 */
export function addEndMark(bytes: Buffer): Buffer | undefined {
  if (bytes.subarray(-2).equals(endMark)) return undefined;
  const whole = Buffer.concat([bytes, endMark]);
  const { share, doubtful, hasAllScans } = damagedShares(whole) ?? { share: 1 };
  return share === 0 && doubtful === 0 && hasAllScans ? whole : undefined;
}

/**
 * Refuses a JPEG of which more than a small part does not decode to what was encoded.
 * @param warning Of libjpeg, which decides where the codes are not read.
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
  let count = 0;
  for (let at = from ?? to; at < to; at += 1) {
    if (bytes[at] !== 0x0a) continue;
    if (at === from || bytes[at - 1] !== 0x0d) return false;
    count += 1;
  }
  return count > 16;
}

interface Segment {
  readonly marker: number;
  readonly content: Buffer;
  readonly end: number;
}

/** Segments up to the end mark, which is the last of them; the data of scans between them are passed over. */
function* segmentsOf(bytes: Buffer): Generator<Segment> {
  let at = 2;
  for (;;) {
    // A search by indexOf costs more than this where a marker is every three bytes.
    while (at < bytes.length && bytes[at] !== 0xff) at += 1;
    const marker = bytes[at + 1];
    if (marker === undefined) return;
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
  readonly isProgressive: boolean;
  readonly width: number;
  readonly height: number;
  readonly parts: ReadonlyMap<number, Part>;
}

/** Of a colour: its blocks in a unit. */
interface Part {
  readonly across: number;
  readonly down: number;
}

/** What a block has in a scan: a code and bits for its mean, or one bit of it (null), and its other coefficients or none (null). */
interface Block {
  readonly dc: Codes | null;
  readonly ac: Codes | null;
}

/**
 * Shares of a JPEG with Huffman codes (ITU-T T.81, annexes F and G) that follow the first code which no encoder writes: its
 * codes are read, and no pixel is computed. libjpeg reads on at wrong bits, mostly without a warning: after an FTP transfer in
 * ASCII mode, or a block of another file, it warns of a sixth of the images. Undefined for other kinds of JPEG, and where reading
 * on would cost too much. Each colour is read once, each bit of a progressive image too, however many scans the file has.
 */
function damagedShares(bytes: Buffer): Shares | undefined {
  const tables = new Map<number, Table>();
  const done = new Set<number>();
  const progression = new Progression();
  const reading: Reading = { data: new ScanData(bytes), nonZero: new Map(), work: new Work() };
  let frame: Frame | undefined;
  let interval = 0;
  let found: Shares | undefined;
  for (const { marker, content, end } of segmentsOf(bytes)) {
    if (marker === 0xc4) keepTables(content, tables);
    else if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) {
      if (frame) return found;
      frame = readFrame(content, marker === 0xc2);
    } else if (marker === 0xdd && content.length >= 2) interval = content.readUInt16BE(0);
    else if (marker === startOfScan && frame) {
      const { isProgressive } = frame;
      if (isProgressive && !progression.continuesWith(content)) return undefined;
      const scan = isProgressive
        ? readProgressiveScan(content, frame, tables, reading)
        : readScan(content, frame, tables, reading);
      if (!scan || (!isProgressive && scan.ids.some((id) => done.has(id)))) return found;
      for (const id of scan.ids) done.add(id);
      const { sound, doubtful, hasMoreRows, hasPadding } = readUnits(bytes, end, scan, {
        reading,
        interval,
        ends: isProgressive ? endsOfScan : endsOfImage,
      });
      // Where its header says a lower height, the rows below it are in each scan.
      if (reading.work.isTooMuch || (isProgressive && hasMoreRows)) return undefined;
      found = {
        share: Math.max(found?.share ?? 0, 1 - sound / scan.units),
        doubtful: Math.max(found?.doubtful ?? 0, doubtful / scan.units),
        hasAllScans: false,
      };
      // What later scans refine is not known.
      if (isProgressive && sound < scan.units) return found;
      if (isProgressive) progression.add(content, hasPadding);
    }
  }
  // Zeros may stand for the rest of the file, in which the other scans were.
  if (!frame || !found) return found;
  const colours = [...frame.parts.keys()];
  const hasAllScans = frame.isProgressive ? progression.isWhole(colours) : done.size === colours.length;
  const isCut = frame.isProgressive && !hasAllScans && progression.endsInPadding;
  return isCut ? { share: 1, doubtful: 0, hasAllScans } : { ...found, hasAllScans };
}

/** What all scans of a file share. */
interface Reading {
  readonly data: ScanData;
  readonly nonZero: Map<number, NonZero>;
  readonly work: Work;
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
function readFrame(segment: Buffer, isProgressive: boolean): Frame | undefined {
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
  return { isProgressive, height: segment.readUInt16BE(1), width: segment.readUInt16BE(3), parts };
}

function isOneToFour(value: number): boolean {
  return value >= 1 && value <= 4;
}

/** Units up to the first one that is not sound, and whether more follows the last of them than padding. */
interface Read {
  readonly sound: number;
  readonly hasRest: boolean;
  /** Whether whole rows follow below the height of the image. */
  readonly hasMoreRows?: boolean;
}

interface Scan {
  /** Of its colours. */
  readonly ids: readonly number[];
  readonly units: number;
  /** Reads so many units, from the unit `first` on, from the start of the data. */
  read(first: number, count: number): Read;
}

/** ITU-T T.81, B.2.3. */
const maxBlocksOfUnit = 10;

interface Component {
  readonly id: number;
  readonly part: Part;
  /** Numbers of its tables. */
  readonly dc: number;
  readonly ac: number;
}

function readComponents(segment: Buffer, { parts }: Frame): readonly Component[] | undefined {
  const count = segment[0] ?? 0;
  if (!isOneToFour(count)) return undefined;
  const components: Component[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const [id = 0, codes = 0] = segment.subarray(1 + 2 * nth);
    const part = parts.get(id);
    if (!part) return undefined;
    components.push({ id, part, dc: codes >> 4, ac: 0x10 | (codes & 15) });
  }
  return components;
}

function readScan(
  segment: Buffer,
  frame: Frame,
  tables: ReadonlyMap<number, Table>,
  reading: Reading,
): Scan | undefined {
  return scanOf(frame, reading, readComponents(segment, frame), ({ dc, ac }) => {
    const codes = { dc: codesOf(tables.get(dc)), ac: codesOf(tables.get(ac)) };
    return codes.dc && codes.ac ? { dc: codes.dc, ac: codes.ac } : undefined;
  });
}

/** A scan of means, or of a band of the other coefficients of one colour. */
function readProgressiveScan(
  segment: Buffer,
  frame: Frame,
  tables: ReadonlyMap<number, Table>,
  reading: Reading,
): Scan | undefined {
  const components = readComponents(segment, frame);
  const [from = 0, to = 0, bits = 0] = segment.subarray(1 + 2 * (components?.length ?? 0));
  const isRefinement = bits >> 4 > 0;
  if (from === 0) {
    const dcOf = (number: number) => (isRefinement ? null : codesOf(tables.get(number)));
    return scanOf(frame, reading, to === 0 ? components : undefined, (component) => {
      const dc = dcOf(component.dc);
      return dc === undefined ? undefined : { dc, ac: null };
    });
  }
  const [component, another] = components ?? [];
  const codes = codesOf(tables.get(component?.ac ?? -1));
  if (!component || another || !codes || to < from || to > 63) return undefined;
  const { units } = unitsOf(frame, [component]);
  const { id } = component;
  const words = reading.nonZero.get(id) ?? new Uint32Array(2 * units);
  reading.nonZero.set(id, words);
  const reader = new BandReader(reading.data, { codes, from, to, isRefinement }, words, reading.work);
  return { ids: [id], units, read: (first, count) => reader.read(first, count) };
}

function scanOf(
  frame: Frame,
  { data, work }: Reading,
  components: readonly Component[] | undefined,
  toBlock: (component: Component) => Block | undefined,
): Scan | undefined {
  const blocks: Block[] = [];
  for (const component of components ?? []) {
    const block = toBlock(component);
    if (!block) return undefined;
    const { across, down } = component.part;
    for (let left = components?.length === 1 ? 1 : across * down; left > 0; left -= 1) blocks.push(block);
  }
  if (components === undefined || blocks.length > maxBlocksOfUnit) return undefined;
  const { units, across } = unitsOf(frame, components);
  const ids = components.map(({ id }) => id);
  const rows = { blocks, across, work };
  return units >= 1 ? { ids, units, read: (_first, count) => countSound(data, rows, count) } : undefined;
}

/** Units of a scan of these colours, and those in a row. */
function unitsOf({ width, height, parts }: Frame, components: readonly Component[]) {
  const sizes = [...parts.values()];
  const [mostAcross, mostDown] = [
    Math.max(...sizes.map((part) => part.across)),
    Math.max(...sizes.map((part) => part.down)),
  ];
  const alone = components.length === 1 ? components[0]?.part : undefined;
  const count = (length: number, own: number, most: number) =>
    alone ? Math.ceil(Math.ceil((length * own) / most) / 8) : Math.ceil(length / 8 / most);
  const across = count(width, alone?.across ?? 1, mostAcross);
  return { across, units: across * count(height, alone?.down ?? 1, mostDown) };
}

/** Numbers of units of a scan. */
interface Units {
  readonly sound: number;
  /** Part of the sound ones. */
  readonly doubtful: number;
  readonly hasMoreRows: boolean;
  /** Whether many equal bytes are at the end. */
  readonly hasPadding: boolean;
}

function readUnits(
  bytes: Buffer,
  from: number,
  scan: Scan,
  {
    reading: { data, work },
    interval,
    ends,
  }: { readonly reading: Reading; readonly interval: number; readonly ends: ReadonlySet<number> },
): Units {
  let sound = 0;
  let hasMoreRows = false;
  let hasPadding = false;
  let at = from;
  for (let nth = 0, left = scan.units; left > 0 && !work.isTooMuch; nth += 1) {
    const wanted = Math.min(interval || left, left);
    const end = data.take(at);
    work.add(workOfInterval);
    const read = scan.read(scan.units - left, wanted);
    left -= wanted;
    hasMoreRows ||= read.hasMoreRows === true;
    hasPadding = data.startOfPadding < data.length;
    // Without an end mark it may be another file, as in one that was recovered.
    if (read.hasRest && left === 0 && !ends.has(bytes[end + 1] ?? 0)) {
      return { sound: sound + read.sound, doubtful: wanted, hasMoreRows, hasPadding };
    }
    // Codes were read at wrong bits; where that began is not known.
    if (!read.hasRest) sound += read.sound;
    at = end;
    // Restart markers count from 0 to 7.
    if (bytes[at + 1] !== 0xd0 + (nth & 7)) break;
    at += 2;
  }
  return { sound, doubtful: 0, hasMoreRows, hasPadding };
}

/** In codes. */
const workOfInterval = 4;

const endsOfImage = new Set([endOfImage]);
/** Beside it tables, a restart interval, and the start of the next scan. */
const endsOfScan = new Set([endOfImage, 0xc4, 0xdb, 0xdd, startOfScan]);

/** Sound units, and whether more follows the last of them than padding and whole rows below the height of the image. */
function countSound(
  data: ScanData,
  {
    blocks,
    across,
    work,
  }: { readonly blocks: readonly Block[]; readonly across: number; readonly work: Work },
  units: number,
): Read {
  const end = data.length * 8;
  const padding = data.startOfPadding * 8;
  // Where each bit is a block, those of padding in the last byte look like blocks too.
  const endOfBlocks = blocks.every(({ dc }) => dc === null) ? end - 7 : end;
  let bit = 0;
  let endOfUnits = 0;
  let endOfRows = 0;
  let hasMoreRows = false;
  for (let unit = 0; ; unit += 1) {
    if (unit >= units && (unit - units) % across === 0) {
      endOfRows = bit;
      if (unit === units) endOfUnits = bit;
      else hasMoreRows = endOfUnits < endOfBlocks;
    }
    const next = readUnit(data.bytes, bit, blocks, work);
    const isSound =
      next !== undefined && next <= end && (bit < padding || next - bit <= maxEmptyBits * blocks.length);
    if (!isSound || (unit >= units && bit >= padding) || work.isTooMuch) {
      return {
        sound: Math.min(unit, units),
        hasRest: unit >= units && padding - endOfRows > maxPaddingBytes * 8,
        hasMoreRows,
      };
    }
    bit = next;
  }
}

/** The bit behind a unit; undefined when a code is none. */
function readUnit(data: Uint8Array, from: number, blocks: readonly Block[], work: Work): number | undefined {
  let bit = from;
  work.add(blocks.length);
  for (const { dc, ac } of blocks) {
    if (dc === null) bit += 1;
    else {
      const first = dc.find(next16(data, bit));
      if (first === 0 || (first & 255) > maxDcBits) return undefined;
      bit += (first >>> 8) + (first & 255);
    }
    for (let nth = 1; ac !== null && nth < 64; ) {
      work.add(1);
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
