import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ControlLine, createLineReader, parseCommandLine } from './control-lines.js';
import { reply, writeReply } from './reply.js';

const maxBytes = 64;

function readAll(chunks: readonly Uint8Array[]): ControlLine[] {
  const reader = createLineReader(maxBytes);
  const lines: ControlLine[] = [];
  for (const chunk of chunks) {
    reader.add(chunk);
    for (let line = reader.next(); line; line = reader.next()) lines.push(line);
  }
  return lines;
}
const texts = (lines: readonly ControlLine[]) =>
  lines.map((line) => (line.kind === 'line' ? line.bytes.toString('latin1') : line.kind));
const bytesOf = (...parts: (string | number)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part, 'latin1'))),
  );

/** Splits bytes at the given positions. */
function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const ends = [...positions.map((position) => position % (bytes.length + 1)), 0, bytes.length].sort(
    (a, b) => a - b,
  );
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
}

describe('lines', () => {
  test('are the same for every division into chunks', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'NOOP\r\n',
        'STOR a b\n',
        '\r\n',
        '\xff\xf4\xf2',
        '\xff\xfb\x01',
        '\xff\xff',
        'é',
        '\r',
      ),
      fc.string({ maxLength: 80 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (pieces, positions) => {
          const bytes = Buffer.from(pieces.join(''), 'latin1');
          // Whether ABOR and CR count as a line depends on where a chunk ends.
          fc.pre(!/abor\r/i.test(bytes.toString('latin1').replace(/\xff./g, '')));
          expect(texts(readAll(cut(bytes, positions)))).toEqual(texts(readAll([bytes])));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('never exceed the limit, for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => {
        for (const line of readAll(chunks)) {
          if (line.kind === 'line') {
            expect(line.bytes.length).toBeGreaterThan(0);
            expect(line.bytes.length).toBeLessThanOrEqual(maxBytes);
            expect(line.bytes.includes(10)).toBe(false);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['CRLF and LF', bytesOf('NOOP\r\nQUIT\n'), ['NOOP', 'QUIT']],
    ['empty lines are skipped', bytesOf('\r\n\n\r\nNOOP\r\n'), ['NOOP']],
    ['a line over the limit, then a valid one', bytesOf('x'.repeat(65), '\nNOOP\n'), ['too-long', 'NOOP']],
    ['a line of the maximum length', bytesOf('x'.repeat(64), '\n'), ['x'.repeat(64)]],
    ['telnet options', bytesOf('NO', 255, 251, 1, 'OP', 255, 246, '\r\n'), ['NOOP']],
    ['an escaped 255', bytesOf('A', 255, 255, '\n'), ['A\xff']],
    ['IP and Synch before ABOR', bytesOf(255, 244, 255, 242, 'ABOR\r\n'), ['ABOR']],
    ['BSD, without its urgent IAC', bytesOf(255, 244, 242, 'ABOR\r\n'), ['ABOR']],
    ['without the urgent DM', bytesOf(255, 244, 255, 'ABOR\r\n'), ['ABOR']],
    ['ftplib, without its urgent LF', bytesOf('ABOR\r'), ['ABOR']],
    ['a bare CR within', bytesOf('MKD a\rb\r\n'), ['MKD a\rb']],
  ])('%s', (_name, bytes, expected) => {
    expect(texts(readAll([bytes]))).toEqual(expected);
  });
});

describe('a command line', () => {
  test.each([
    ['stor  two blanks ', { verb: 'STOR', argument: ' two blanks ' }],
    ['PWD', { verb: 'PWD', argument: '' }],
    [' NOOP', { verb: 'NOOP', argument: '' }],
    ['STO', { verb: 'STO', argument: '' }],
    ['STORE x', null],
    ['x', null],
    ['123 x', null],
    ['STOR\tx', null],
  ])('%j', (line, expected) => {
    expect(parseCommandLine(Buffer.from(line))).toEqual(expected);
  });

  test('decodes each name as UTF-8 or else as Windows-1252, without loss', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        expect(parseCommandLine(Buffer.from(`STOR ${name}`))?.argument).toBe(name);
      }),
    );
    expect(parseCommandLine(Buffer.from('MKD caf\xe9', 'latin1'))?.argument).toBe('café');
    expect(parseCommandLine(Buffer.from('STOR \x80uro \x93a\x94', 'latin1'))?.argument).toBe('€uro “a”');
  });
});

test('arbitrary text in a reply neither ends it nor starts another one', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (lines) => {
      const [first = '', ...more] = writeReply(reply(211, ...lines)).split('\r\n');
      expect(more.at(-1)).toBe('');
      expect(more).toHaveLength(lines.length);
      expect(first.slice(0, 4)).toBe(lines.length === 1 ? '211 ' : '211-');
      for (const between of more.slice(0, -2)) expect(between.startsWith(' ')).toBe(true);
      if (lines.length > 1) expect(more.at(-2)?.slice(0, 4)).toBe('211 ');
    }),
  );
});
