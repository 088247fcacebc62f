import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { confineSharp } from '../confine-sharp.js';
import { cornersHeic } from '../fixtures/corners.js';
import { runLengthBmp } from '../fixtures/run-length-bmp.js';
import { openImage } from '../open-image.js';

/** What cameras and phones write beside the image is no reason to refuse it. */
beforeAll(confineSharp);

const plain = (side = 64) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#4080c0' } });

async function sizeOf(bytes: Buffer): Promise<string> {
  const { width, height, raster } = await openImage(
    { kind: 'bytes', bytes },
    { limits: { maxPixels: 1_000_000 }, detailPx: 1000 },
  );
  await raster({ width, height });
  return `${width}x${height}`;
}

const number16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const number32 = (value: number) => Buffer.concat([number16(value >>> 16), number16(value & 0xffff)]);

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const data = Buffer.concat(content);
  return Buffer.concat([number32(8 + data.length), Buffer.from(type, 'latin1'), data]);
}

const full = (type: string, ...content: readonly Buffer[]) => box(type, Buffer.alloc(4), ...content);

/** An AVIF whose image is a grid of so many columns and rows, as phones write their HEIC: the tiles in the file, the grid in `idat`. */
function gridOf(tile: Buffer, side: number, columns: number, rows: number): Buffer {
  const configurationAt = tile.indexOf('av1C') - 4;
  const configuration = tile.subarray(configurationAt, configurationAt + tile.readUInt32BE(configurationAt));
  const frame = tile.subarray(tile.indexOf('mdat') + 4);
  const tiles = Array.from({ length: columns * rows }, (_, index) => index + 1);
  const grid = tiles.length + 1;
  const size = (width: number, height: number) => full('ispe', number32(width), number32(height));
  const item = (id: number, type: string) =>
    box('infe', Buffer.from([2, 0, 0, 0]), number16(id), number16(0), Buffer.from(`${type}\0`));
  const layout = Buffer.concat([
    Buffer.from([0, 0, rows - 1, columns - 1]),
    number16(side * columns),
    number16(side * rows),
  ]);
  const head = tile.subarray(0, tile.readUInt32BE(0));
  const meta = (frameAt: number) => {
    const location = (id: number, method: number, at: number, length: number) =>
      Buffer.concat([
        number16(id),
        number16(method),
        number16(0),
        number16(1),
        number32(at),
        number32(length),
      ]);
    return full(
      'meta',
      full('hdlr', Buffer.alloc(4), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', number16(grid)),
      full('iinf', number16(grid), ...tiles.map((id) => item(id, 'av01')), item(grid, 'grid')),
      full('iref', box('dimg', number16(grid), number16(tiles.length), ...tiles.map(number16))),
      box(
        'iprp',
        box('ipco', configuration, size(side, side), size(side * columns, side * rows)),
        full(
          'ipma',
          number32(grid),
          ...tiles.map((id) => Buffer.concat([number16(id), Buffer.from([2, 0x81, 2])])),
          Buffer.concat([number16(grid), Buffer.from([1, 3])]),
        ),
      ),
      box('idat', layout),
      box(
        'iloc',
        Buffer.from([1, 0, 0, 0, 0x44, 0]),
        number16(grid),
        ...tiles.map((id) => location(id, 0, frameAt, frame.length)),
        location(grid, 1, 0, layout.length),
      ),
    );
  };
  const frameAt = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(frameAt), box('mdat', frame)]);
}

test('an image of 48 tiles is accepted', async () => {
  const tile = await plain().avif({ effort: 0 }).toBuffer();
  expect(await sizeOf(gridOf(tile, 64, 8, 6))).toBe('512x384');
});

test('a JPEG with previews behind its end, and with XMP in a hundred segments, is accepted', async () => {
  const bytes = await plain().jpeg().toBuffer();
  const segment = (marker: number, text: string) => {
    const data = Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(60_000, 'x')]);
    return Buffer.concat([Buffer.from([0xff, marker]), number16(data.length + 2), data]);
  };
  const extended = Array.from({ length: 100 }, () => segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0'));
  const preview = await plain(300).jpeg().toBuffer();
  expect(
    await sizeOf(
      Buffer.concat([
        bytes.subarray(0, 2),
        ...extended,
        segment(0xe2, 'MPF\0'),
        bytes.subarray(2),
        preview,
        preview,
      ]),
    ),
  ).toBe('64x64');
});

test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heic', 'bmp'] as const)(
  'zeros and other bytes behind the end of a %s are ignored',
  async (format) => {
    const bytes =
      format === 'heic'
        ? cornersHeic
        : format === 'bmp'
          ? runLengthBmp(64, 64)
          : await plain().toFormat(format).toBuffer();
    const size = await sizeOf(bytes);
    for (const padding of [Buffer.alloc(100_000), Buffer.alloc(50_000, 'SEFT')]) {
      expect(await sizeOf(Buffer.concat([bytes, padding]))).toBe(size);
    }
  },
);
