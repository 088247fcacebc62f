import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headerOf, type RtspItem, RtspParser, writeMessage } from './rtsp-messages.js';

const answer = writeMessage(
  'RTSP/1.0 200 OK',
  [
    ['CSeq', '3'],
    ['Session', 'a;timeout=60'],
  ],
  'v=0\r\nm=video',
);
const request = writeMessage('OPTIONS rtsp://c/s RTSP/1.0', [['CSeq', '9']]);
const frame = (length: number) =>
  Buffer.concat([Buffer.from([0x24, 0, length >> 8, length & 0xff]), Buffer.alloc(length, 7)]);

function parse(chunks: readonly Buffer[]): RtspItem[] {
  const parser = new RtspParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
}

/** What was read, in short, with runs of frames joined however they were cut. */
function summarise(items: readonly RtspItem[]): string {
  return items
    .map((item) => (item.kind === 'frames' ? item.bytes.toString('latin1') : `[${JSON.stringify(item)}]`))
    .join('');
}

test('messages and frames are read as they were written, wherever they are cut', () => {
  const pieces = [answer, frame(0), frame(1400), frame(5000), Buffer.from('\r\n'), request, frame(3), answer];
  const bytes = Buffer.concat(pieces);
  const whole = parse([bytes]);
  expect(whole.map(({ kind }) => kind)).toEqual(['answer', 'frames', 'request', 'frames', 'answer']);
  const [first] = whole;
  if (first?.kind !== 'answer') throw new Error('no answer');
  expect(first.status).toBe(200);
  expect(headerOf(first.message, 'session')).toBe('a;timeout=60');
  expect(first.message.body).toBe('v=0\r\nm=video');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 60 }), (cuts) => {
      const sorted = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
      expect(summarise(parse(chunks)) === summarise(whole)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('headers without end, long lines, and long bodies are refused', () => {
  const forever = Buffer.from('X-A: b\r\n');
  expect(() =>
    parse([Buffer.from('RTSP/1.0 200 OK\r\n'), ...Array.from({ length: 200 }, () => forever)]),
  ).toThrow(/headers without end/);
  expect(() => parse([Buffer.from('RTSP/1.0 200 OK\r\nA: '), Buffer.alloc(9000, 0x61)])).toThrow(
    /longer than 8192/,
  );
  expect(() => parse([Buffer.from('\r\n'.repeat(100))])).toThrow(/empty lines without end/);
  for (const length of ['99999999', '-1', '1e3x', '0x10000000']) {
    expect(() => parse([Buffer.from(`RTSP/1.0 200 OK\r\nContent-Length: ${length}\r\n\r\n`)])).toThrow(
      /length/,
    );
  }
});

test('what is no RTSP is noticed with its first bytes', () => {
  for (const text of [
    'HTTP/1.1 400 Bad Request\r\n',
    '\u0000\u0001',
    'hello',
    'RTSP/2.0 200 OK\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
  ]) {
    expect(() => parse([Buffer.from(text)])).toThrow(/does not speak RTSP/);
  }
});

test('arbitrary bytes give items or a failure with a reason, and nothing is kept beyond a message', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.boolean(), (bytes, isAnswer) => {
      const parser = new RtspParser();
      const start = isAnswer ? [Buffer.from('RTSP/1.0 200 OK\r\n')] : [];
      try {
        for (const chunk of [...start, Buffer.from(bytes)]) parser.push(chunk);
      } catch (error) {
        expect(error).toMatchObject({ name: 'StreamFailure', code: 'protocol' });
      }
    }),
  );
});

test('a large message that comes byte by byte costs little', () => {
  const lines = Array.from({ length: 90 }, (_, index) => ['X', `${index}${'x'.repeat(340)}`] as const);
  const bytes = writeMessage('RTSP/1.0 200 OK', [...lines, ['CSeq', '1']], '\n'.repeat(130_000));
  const parser = new RtspParser();
  const before = process.cpuUsage();
  const items: RtspItem[] = [];
  for (let at = 0; at < bytes.length; at += 1) items.push(...parser.push(bytes.subarray(at, at + 1)));
  // A minute, where each byte has all before it read again.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(4000);
  expect(items).toHaveLength(1);
});
