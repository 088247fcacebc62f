import fc from 'fast-check';

/** One change to some bytes; `at` is the position as a share of their length. */
interface Edit {
  readonly at: number;
  readonly what: 'set' | 'flip' | 'number' | 'cut' | 'repeat' | 'insert' | 'end';
  readonly value: number;
  readonly length: number;
}

/** Numbers at which readers of lengths and sizes go wrong. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

const edit: fc.Arbitrary<Edit> = fc.record({
  // Most of what decides how a file is read stands near its beginning.
  at: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share ** 3),
  ),
  what: fc.constantFrom('set', 'set', 'flip', 'number', 'number', 'cut', 'repeat', 'insert', 'end'),
  value: fc.oneof(fc.constantFrom(...edges), fc.nat({ max: 0xffffffff })),
  length: fc.integer({ min: 1, max: 40 }),
});

/** Valid bytes after a few changes: a parser gets far into these before it finds what is wrong. */
export function mutated(valid: readonly Buffer[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(edit, { maxLength: 6 }))
    .map(([bytes, edits]) => edits.reduce(apply, bytes));
}

function apply(bytes: Buffer, { at, what, value, length }: Edit): Buffer {
  const offset = Math.floor(at * bytes.length);
  const before = bytes.subarray(0, offset);
  switch (what) {
    case 'set':
      return Buffer.concat([before, Buffer.from([value & 0xff]), bytes.subarray(offset + 1)]);
    case 'flip':
      return Buffer.concat([
        before,
        Buffer.from([(bytes[offset] ?? 0) ^ (1 << (value & 7))]),
        bytes.subarray(offset + 1),
      ]);
    case 'number': {
      const word = Buffer.alloc(4);
      if (length % 2) word.writeUInt32LE(value);
      else word.writeUInt32BE(value);
      return Buffer.concat([before, word, bytes.subarray(offset + 4)]);
    }
    case 'cut':
      return Buffer.concat([before, bytes.subarray(offset + length)]);
    case 'repeat':
      return Buffer.concat([
        bytes.subarray(0, offset + length),
        bytes.subarray(offset, offset + length),
        bytes.subarray(offset + length),
      ]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(length, value & 0xff), bytes.subarray(offset)]);
    case 'end':
      return Buffer.from(before);
  }
}
