import { EngineError } from '../../errors.js';
import { bounds, refuseAbove } from './bounds.js';
import type { Box } from './iso-boxes.js';
import type { Range } from './ranges.js';

/** Items of an AVIF or HEIC (ISO/IEC 23008-12): what they are, how large, where their data is and what they refer to. */
export interface IsoItems {
  /** Type of each item by its id, such as `av01`, `hvc1` or `grid`. */
  readonly types: ReadonlyMap<number, string>;
  /** Declared width x height; the largest where an item has several. */
  readonly pixels: ReadonlyMap<number, number>;
  /** Parts of the file that are the data of an item, in their order. */
  readonly extents: ReadonlyMap<number, readonly Range[]>;
  readonly references: readonly Reference[];
}

interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** Reads the items; lists that lead outside their box end there. Refuses files that decoders may read in another way. */
export function readItems(bytes: Buffer, boxes: readonly Box[]): IsoItems {
  const budget = { numbers: bounds.isoNumbers };
  const open = (box: Box) => new Reader(bytes, box, budget);
  const of = (parents: readonly Box[], type: string) => parents.filter((box) => box.type === type);
  const single = (parents: readonly Box[], type: string) => {
    const [box, another] = of(parents, type);
    if (another) throw ambiguous(`boxes "${type}"`);
    return box;
  };
  const inMeta = single(boxes, 'meta')?.children ?? [];
  const [list, locations, data] = ['iinf', 'iloc', 'idat'].map((type) => single(inMeta, type));
  const childrenOf = (type: string) => of(inMeta, type).flatMap(({ children }) => children);
  const properties = childrenOf('iprp');
  const sizes = of(properties, 'ipco')
    .flatMap(({ children }) => children)
    .map((box) => (box.type === 'ispe' ? sizeOf(open(box)) : undefined));
  const pixels = new Map<number, number>();
  for (const [item, size] of of(properties, 'ipma').flatMap((box) => sizesOfItems(open(box), sizes))) {
    pixels.set(item, Math.max(size, pixels.get(item) ?? 0));
  }
  return {
    types: uniqueItems(of(list?.children ?? [], 'infe').flatMap((box) => typeOf(open(box)))),
    pixels,
    extents: locations ? uniqueItems(extentsOf(open(locations), bytes.length, data)) : new Map(),
    references: of(inMeta, 'iref').flatMap((iref) =>
      iref.children.map((box) => referenceOf(box.type, open(box), bytes[iref.contentAt] === 0 ? 2 : 4)),
    ),
  };
}

function uniqueItems<Value>(entries: readonly (readonly [number, Value])[]): ReadonlyMap<number, Value> {
  const items = new Map(entries);
  if (items.size < entries.length) throw ambiguous('entries for one item');
  return items;
}

function ambiguous(what: string): EngineError {
  return new EngineError(
    'image-corrupt',
    `the image is truncated or damaged: its AVIF or HEIC file has several ${what}`,
  );
}

/** Reads numbers one after the other, from the budget of all boxes; past the end of the box `isEnd` is true and numbers are 0. */
class Reader {
  #at: number;
  readonly #bytes: Buffer;
  readonly #to: number;
  readonly #budget: { numbers: number };
  isEnd = false;
  constructor(bytes: Buffer, { contentAt, to }: Box, budget: { numbers: number }) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#at = contentAt;
    this.#to = to;
  }
  /** @param size 0 to 8 bytes */
  number(size: number): number {
    this.#budget.numbers -= 1;
    if (this.#budget.numbers < 0)
      throw refuseAbove('AVIF or HEIC', 'numbers in its tables of items', bounds.isoNumbers);
    const at = this.#at;
    this.#at += size;
    // Numbers have 0 to 4 or 8 bytes; a table that says otherwise is damaged.
    if (this.#at > this.#to || (size > 4 && size !== 8)) {
      this.isEnd = true;
      return 0;
    }
    if (size === 8) return Number(this.#bytes.readBigUInt64BE(at));
    return size === 0 ? 0 : this.#bytes.readUIntBE(at, size);
  }
}

function sizeOf(reader: Reader): number {
  reader.number(4);
  return reader.number(4) * reader.number(4);
}

function typeOf(reader: Reader): [number, string][] {
  const version = reader.number(1);
  reader.number(3);
  if (version < 2) return [];
  const id = reader.number(version === 2 ? 2 : 4);
  reader.number(2);
  const type = reader.number(4);
  return [[id, String.fromCharCode(type >>> 24, (type >> 16) & 255, (type >> 8) & 255, type & 255)]];
}

function sizesOfItems(reader: Reader, sizes: readonly (number | undefined)[]): [number, number][] {
  const version = reader.number(1);
  const flags = reader.number(3);
  const found: [number, number][] = [];
  for (let left = reader.number(4); left > 0 && !reader.isEnd; left -= 1) {
    const id = reader.number(version < 1 ? 2 : 4);
    for (let more = reader.number(1); more > 0; more -= 1) {
      const index = flags & 1 ? reader.number(2) & 0x7fff : reader.number(1) & 0x7f;
      const pixels = sizes[index - 1];
      if (pixels !== undefined) found.push([id, pixels]);
    }
  }
  return found;
}

/** @param data The box that has the data of items within `meta`. */
function extentsOf(
  reader: Reader,
  fileBytes: number,
  data: Box | undefined,
): (readonly [number, readonly Range[]])[] {
  const version = reader.number(1);
  reader.number(3);
  const sizes = reader.number(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  const items: (readonly [number, readonly Range[]])[] = [];
  for (let left = reader.number(version < 2 ? 2 : 4); left > 0 && !reader.isEnd; left -= 1) {
    const item = reader.number(version < 2 ? 2 : 4);
    const method = version > 0 ? reader.number(2) & 15 : 0;
    if (method > 1) throw unsupportedMethod();
    const place = method === 0 ? { contentAt: 0, to: fileBytes } : (data ?? { contentAt: 0, to: 0 });
    reader.number(2);
    const base = reader.number(baseBytes);
    const ranges: Range[] = [];
    for (let more = reader.number(2); more > 0 && !reader.isEnd; more -= 1) {
      reader.number(indexBytes);
      const from = Math.min(place.to, place.contentAt + base + reader.number(offsetBytes));
      // Without a length the data goes to the end.
      const length = reader.number(lengthBytes) || place.to;
      ranges.push({ from, to: Math.min(place.to, from + length) });
    }
    items.push([item, ranges]);
  }
  return items;
}

function unsupportedMethod(): EngineError {
  return new EngineError(
    'image-unsupported',
    'the AVIF or HEIC image has the data of an item in other items, which is not supported: save it again with another program',
  );
}

function referenceOf(type: string, reader: Reader, idBytes: 2 | 4): Reference {
  const from = reader.number(idBytes);
  const to: number[] = [];
  for (let left = reader.number(2); left > 0; left -= 1) {
    const id = reader.number(idBytes);
    if (reader.isEnd) break;
    to.push(id);
  }
  return { type, from, to };
}
