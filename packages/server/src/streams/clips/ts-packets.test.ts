import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PacketReader, packetBytes } from './ts-packets.js';

function packet(
  pid: number,
  options: { isStart?: boolean; isRandomAccess?: boolean; fill?: number } = {},
): Buffer {
  const bytes = Buffer.alloc(packetBytes, options.fill ?? 0xff);
  bytes[0] = 0x47;
  bytes.writeUInt16BE((options.isStart ? 0x4000 : 0) | pid, 1);
  bytes[3] = options.isRandomAccess === undefined ? 0x10 : 0x30;
  if (options.isRandomAccess !== undefined) {
    bytes[4] = 1;
    bytes[5] = options.isRandomAccess ? 0x40 : 0;
  }
  return bytes;
}

/** A program association table whose first program has its map at a PID. */
function programs(mapPid: number): Buffer {
  const bytes = packet(0, { isStart: true });
  Buffer.from([0, 0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | (mapPid >> 8), mapPid & 0xff]).copy(bytes, 4);
  return bytes;
}

const packets = [
  programs(0x1000),
  packet(0x1000, { isStart: true }),
  packet(0x100, { isStart: true, isRandomAccess: true }),
  packet(0x100, { fill: 0x47 }),
  packet(0x100, { isStart: true, isRandomAccess: false }),
  packet(0x100),
  packet(0x100, { isStart: true, isRandomAccess: true }),
];
const kinds = ['programs', 'streams', 'key', 'other', 'other', 'other', 'key'];

function read(chunks: readonly Buffer[]): { readonly kinds: string[]; readonly bytes: Buffer } {
  const reader = new PacketReader();
  const found: string[] = [];
  const taken: Buffer[] = [];
  for (const chunk of chunks) {
    reader.push(chunk, (run, kind) => {
      expect(run.length % packetBytes).toBe(0);
      for (let at = 0; at < run.length; at += packetBytes) found.push(kind);
      taken.push(run);
    });
  }
  return { kinds: found, bytes: Buffer.concat(taken) };
}

test('packets are distinguished, wherever they are cut, and none is lost', () => {
  const all = Buffer.concat(packets);
  fc.assert(
    fc.property(fc.array(fc.nat(all.length), { maxLength: 20 }), (cuts) => {
      const sorted = [0, ...cuts.sort((a, b) => a - b), all.length];
      const result = read(sorted.slice(1).map((end, index) => all.subarray(sorted[index], end)));
      expect(result.kinds).toEqual(kinds);
      expect(result.bytes.equals(all)).toBe(true);
    }),
  );
});

test('bytes that are no packet are left out', () => {
  const result = read([
    Buffer.from('garbage'),
    ...packets,
    Buffer.from('more'),
    packets[5] ?? Buffer.alloc(0),
  ]);
  expect(result.kinds).toEqual([...kinds, 'other']);
});

test('arbitrary bytes are read to their end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 800 })),
      (chunks) => void read(chunks.map((each) => Buffer.from(each))),
    ),
  );
});
