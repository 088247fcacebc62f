import fc from 'fast-check';
import { expect, test } from 'vitest';
import { containerOf, identifyVideo } from './identify-video.js';

const bytes = (text: string, length = 1024) =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(length)]);
const packets = (first: number, length: number) => {
  const head = Buffer.alloc(length * 4);
  for (let at = first; at < head.length; at += length) head[at] = 0x47;
  return head;
};

test.each([
  ['mp4', bytes('\0\0\0\x20ftypisom')],
  ['mov', bytes('\0\0\0\x14ftypqt  ')],
  ['mov', bytes('\0\0\0\x08wide\0\0\0\0mdat')],
  ['webm', bytes('\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01B\x82\x84webm')],
  ['mkv', bytes('\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01B\x82\x88matroska')],
  ['avi', bytes('RIFF\0\0\0\0AVI LIST')],
  ['ts', packets(0, 188)],
  ['ts', packets(0, 204)],
  ['ts', packets(4, 192)],
  [null, packets(4, 188)],
  [null, bytes('RIFF\0\0\0\0WAVE')],
  [null, bytes('#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/a.ts\n')],
  [null, bytes("ffconcat version 1.0\nfile '/etc/passwd'\n")],
  [null, bytes('\xff\xd8\xff\xe0 a photograph')],
  [null, Buffer.from('G')],
  [null, Buffer.alloc(0)],
])('%s is recognised by the first bytes', (container, head) => {
  expect(containerOf(head)).toBe(container);
});

test('the content is whole, in whatever pieces it comes', async () => {
  const film = bytes('\0\0\0\x20ftypisom', 5000);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), async (sizes) => {
      async function* pieces() {
        let at = 0;
        for (const size of [...sizes, film.length]) {
          if (at < film.length) yield film.subarray(at, at + size);
          at += size;
        }
      }
      const { container, content } = await identifyVideo(pieces());
      const read: Uint8Array[] = [];
      for await (const piece of content) read.push(piece);
      expect([container, Buffer.concat(read).equals(film)]).toEqual(['mp4', true]);
    }),
  );
});

test('what is no video is refused, and nothing more of it is read', async () => {
  let isClosed = false;
  async function* pieces(first: Buffer) {
    try {
      yield first;
      yield first;
    } finally {
      isClosed = true;
    }
  }
  await expect(identifyVideo(pieces(bytes('#EXTM3U')))).rejects.toMatchObject({ code: 'unsupported_video' });
  expect(isClosed).toBe(true);
  await expect(identifyVideo(pieces(Buffer.alloc(0)))).rejects.toMatchObject({ code: 'no_file' });
});
