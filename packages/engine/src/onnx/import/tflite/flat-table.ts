import type { ByteBuffer } from 'flatbuffers';
import { ImportError } from '../../import-error.js';

/** Maximum of list items read from one file: lists may be shared, so a small file could name billions. */
const maxItems = 4_000_000;

/** The file and how many more items may be read from it. */
interface Source {
  readonly buffer: ByteBuffer;
  itemsLeft: number;
}

/**
 * A table of a FlatBuffer, its fields by number. Every offset is checked against the end of the file, since the
 * library itself reads at any offset (https://flatbuffers.dev/internals/).
 */
export class FlatTable {
  readonly #source: Source;
  readonly #buffer: ByteBuffer;
  readonly #at: number;
  readonly #vtable: number;
  readonly #vtableBytes: number;

  private constructor(source: Source, at: number) {
    const { buffer } = source;
    this.#source = source;
    this.#buffer = buffer;
    this.#at = within(buffer, at, 4);
    this.#vtable = within(buffer, at - buffer.readInt32(at), 4);
    this.#vtableBytes = buffer.readUint16(this.#vtable);
    within(buffer, this.#vtable, this.#vtableBytes);
  }

  static root(buffer: ByteBuffer): FlatTable {
    return new FlatTable({ buffer, itemsLeft: maxItems }, offsetAt(buffer, 0));
  }

  byte(field: number, absent: number): number {
    const at = this.#place(field, 1);
    return at === undefined ? absent : this.#buffer.readInt8(at);
  }

  integer(field: number, absent: number): number {
    const at = this.#place(field, 4);
    return at === undefined ? absent : this.#buffer.readInt32(at);
  }

  float(field: number, absent: number): number {
    const at = this.#place(field, 4);
    return at === undefined ? absent : this.#buffer.readFloat32(at);
  }

  text(field: number): string {
    return Buffer.from(this.bytes(field) ?? []).toString('utf8');
  }

  table(field: number): FlatTable | undefined {
    const at = this.#place(field, 4);
    return at === undefined ? undefined : new FlatTable(this.#source, offsetAt(this.#buffer, at));
  }

  /** @param most Refused when the list is longer. */
  tables(field: number, most: number): FlatTable[] {
    const { start, length } = this.#vector(field, 4, most);
    return Array.from(
      { length },
      (_, index) => new FlatTable(this.#source, offsetAt(this.#buffer, start + 4 * index)),
    );
  }

  integers(field: number, most: number): number[] {
    const { start, length } = this.#vector(field, 4, most);
    return Array.from({ length }, (_, index) => this.#buffer.readInt32(start + 4 * index));
  }

  longs(field: number, most: number): number[] {
    const { start, length } = this.#vector(field, 8, most);
    return Array.from({ length }, (_, index) => Number(this.#buffer.readInt64(start + 8 * index)));
  }

  floats(field: number, most: number): number[] {
    const { start, length } = this.#vector(field, 4, most);
    return Array.from({ length }, (_, index) => this.#buffer.readFloat32(start + 4 * index));
  }

  /** A view of the file's own bytes; undefined when the field is absent. */
  bytes(field: number): Uint8Array | undefined {
    if (this.#place(field, 4) === undefined) return undefined;
    const { start, length } = this.#vector(field, 1, Number.POSITIVE_INFINITY);
    return this.#buffer.bytes().subarray(start, start + length);
  }

  #place(field: number, bytes: number): number | undefined {
    const slot = 4 + 2 * field;
    if (slot + 2 > this.#vtableBytes) return undefined;
    const offset = this.#buffer.readUint16(this.#vtable + slot);
    return offset === 0 ? undefined : within(this.#buffer, this.#at + offset, bytes);
  }

  #vector(
    field: number,
    elementBytes: number,
    most: number,
  ): { readonly start: number; readonly length: number } {
    const at = this.#place(field, 4);
    if (at === undefined) return { start: 0, length: 0 };
    const vector = offsetAt(this.#buffer, at);
    const length = this.#buffer.readUint32(within(this.#buffer, vector, 4));
    if (length > most)
      throw new ImportError(`the file lists ${length} items where at most ${most} make sense`);
    within(this.#buffer, vector + 4, length * elementBytes);
    // Plain bytes are taken as a view and cost nothing.
    if (elementBytes > 1) this.#source.itemsLeft -= length;
    if (this.#source.itemsLeft < 0)
      throw new ImportError(`the file's lists come to more than ${maxItems} items`);
    return { start: vector + 4, length };
  }
}

/** The target of the offset stored at `at`. */
function offsetAt(buffer: ByteBuffer, at: number): number {
  return at + buffer.readUint32(within(buffer, at, 4));
}

function within(buffer: ByteBuffer, at: number, bytes: number): number {
  if (at >= 0 && at + bytes <= buffer.capacity()) return at;
  throw new ImportError('the TFLite file is truncated or damaged: an offset leads outside it');
}
