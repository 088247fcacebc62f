import { bounds, refuseAbove } from './bounds.js';
import type { Box } from './iso-boxes.js';

/** Items of an AVIF or HEIC (ISO/IEC 23008-12): what they are, how large, where their data is and what they refer to. */
export interface IsoItems {
  /** Type of each item by its id, such as `av01`, `hvc1` or `grid`. */
  readonly types: ReadonlyMap<number, string>;
  /** Declared width x height. */
  readonly pixels: ReadonlyMap<number, number>;
  readonly extents: readonly Extent[];
  readonly references: readonly Reference[];
}

export interface Extent {
  readonly item: number;
  /** Position in the file; undefined for data within the box `idat`, or of another item. */
  readonly at: number | undefined;
  readonly bytes: number;
}

export interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** Reads the items; lists that lead outside their box end there. */
export function readItems(bytes: Buffer, boxes: readonly Box[]): IsoItems {
  const budget = { numbers: bounds.isoNumbers };
  const open = (box: Box) => new Reader(bytes, box, budget);
  const inMeta = boxes.filter(({ type }) => type === 'meta').flatMap(({ children }) => children);
  const of = (parents: readonly Box[], type: string) => parents.filter((box) => box.type === type);
  const childrenOf = (type: string) => of(inMeta, type).flatMap(({ children }) => children);
  const properties = childrenOf('iprp');
  const sizes = of(properties, 'ipco')
    .flatMap(({ children }) => children)
    .map((box) => (box.type === 'ispe' ? sizeOf(open(box)) : undefined));
  return {
    types: new Map(of(childrenOf('iinf'), 'infe').flatMap((box) => typeOf(open(box)))),
    pixels: new Map(of(properties, 'ipma').flatMap((box) => sizesOfItems(open(box), sizes))),
    extents: of(inMeta, 'iloc').flatMap((box) => extentsOf(open(box), bytes.length)),
    references: of(inMeta, 'iref').flatMap((iref) =>
      iref.children.map((box) => referenceOf(box.type, open(box), bytes[iref.contentAt] === 0 ? 2 : 4)),
    ),
  };
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

function extentsOf(reader: Reader, fileBytes: number): Extent[] {
  const version = reader.number(1);
  reader.number(3);
  const sizes = reader.number(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  const extents: Extent[] = [];
  for (let left = reader.number(version < 2 ? 2 : 4); left > 0 && !reader.isEnd; left -= 1) {
    const item = reader.number(version < 2 ? 2 : 4);
    const method = version > 0 ? reader.number(2) & 15 : 0;
    reader.number(2);
    const base = reader.number(baseBytes);
    for (let more = reader.number(2); more > 0 && !reader.isEnd; more -= 1) {
      reader.number(indexBytes);
      const offset = reader.number(offsetBytes);
      extents.push({
        item,
        at: method === 0 ? base + offset : undefined,
        // Without a length the data goes to the end of the file.
        bytes: lengthBytes === 0 ? fileBytes : reader.number(lengthBytes),
      });
    }
  }
  return extents;
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
