import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cameraJpeg } from './camera-jpeg.js';
import {
  haveExiftool,
  havePerl,
  type KeywordTrial,
  listByExiftool,
  readByExiftool,
  startKeywordTrial,
  tagByExiftool,
} from './keyword-trial.js';
import { otherTags } from './other-tags.js';
import { hashFrames, hashPixels } from './pixels.js';
import { bigEndian, type PngChunk, readPngChunks, withPngChunk, writePng } from './png-chunks.js';

/** Every tag that is to stay as it was, with its value, the binary ones in full. */
function readOthers(path: string): Readonly<Record<string, unknown>> {
  return otherTags(readByExiftool(path, '-b', '-u'));
}

describe.skipIf(!havePerl || !haveExiftool)('what is no keyword stays as it was', () => {
  let trial: KeywordTrial;
  beforeAll(async () => {
    trial = await startKeywordTrial();
  });
  afterAll(() => trial.close());

  test('a photograph as a camera makes it keeps all that is in it, behind it and beside it', async () => {
    const { bytes, thumbnail, second, film } = await cameraJpeg();
    const { written, inputPath, outputPath } = await trial.write('phone.jpg', bytes, ['boat']);
    expect(written).toMatchObject({ keywords: ['Harbour', 'boat'], added: ['boat'] });
    const before = readOthers(inputPath);
    expect(before).toMatchObject({
      'Canon:OwnerName': 'An owner with a long name',
      'XMP-ours:Shelf': 'B 12',
    });
    expect(readOthers(outputPath)).toEqual(before);
    expect(before['IFD1:ThumbnailImage']).toBe(`base64:${thumbnail.toString('base64')}`);
    expect(before['MPImage2:MPImage2']).toBe(`base64:${second.toString('base64')}`);
    const after = await readFile(outputPath);
    expect(after.subarray(-film.length)).toEqual(film);
    expect(await hashPixels(outputPath)).toBe(await hashPixels(inputPath));
  });

  test('XMP behind a header that is not quite one keeps its keywords, beside ours', async () => {
    const path = await trial.put('odd.jpg', await sharp(plain).jpeg().toBuffer());
    tagByExiftool(path, '-XMP-dc:Subject=Houston', '-XMP-dc:Subject=ball park', '-XMP-dc:Title=A title');
    // As some programs leave it that resize photographs.
    const header = Buffer.from('http://ns.adobe.com/xap/1.0/');
    const bytes = await readFile(path);
    bytes.set(Buffer.from('XMP\0'), bytes.indexOf(header));
    const { written, outputPath } = await trial.write('odd.jpg', bytes, ['person', 'houston']);
    expect(written).toMatchObject({ keywords: ['Houston', 'ball park', 'person'], added: ['person'] });
    // In the block that is one: before there was none.
    expect(await readFile(outputPath, 'latin1')).toMatch(
      /xap\/1\.0\/.{0,2000}<rdf:li>Houston<.{0,100}<rdf:li>ball park<.{0,100}<rdf:li>person</s,
    );
  });

  test('a keyword of XMP behind such a header alone is added where other programs look', async () => {
    const path = await trial.put('two.jpg', await sharp(plain).jpeg().toBuffer());
    tagByExiftool(path, '-XMP-dc:Subject=zebra');
    const bytes = await readFile(path);
    bytes.set(Buffer.from('XMP\0'), bytes.indexOf(Buffer.from('http://ns.adobe.com/xap/1.0/')));
    const own = await trial.put('own.jpg', bytes);
    tagByExiftool(own, '-IPTC:Keywords=Tier', '-XMP-dc:Subject=Tier');
    const { written, outputPath } = await trial.write('own.jpg', await readFile(own), ['zebra']);
    expect(written).toMatchObject({ keywords: ['Tier', 'zebra'], added: ['zebra'] });
    expect(listByExiftool(outputPath, 'IPTC:Keywords')).toEqual(['Tier', 'zebra']);
    const again = await trial.write('own.jpg', await readFile(outputPath), ['zebra']);
    expect(again.written.added).toEqual([]);
  });

  test('IPTC and XMP that other programs filled keep their other fields, and the keywords of both come first', async () => {
    const path = await trial.put('desk.jpg', await sharp(plain).jpeg().toBuffer());
    tagByExiftool(
      path,
      ...['-IPTC:City=Praha', '-IPTC:Keywords=Harbour', '-IPTC:Keywords=night', '-IPTC:Urgency=2'],
      ...['-XMP-dc:Subject=NIGHT', '-XMP-dc:Subject=quay', '-XMP-dc:Title=A title', '-XMP-xmp:Rating=3'],
    );
    const { written, inputPath, outputPath } = await trial.write('desk.jpg', await readFile(path), [
      'harbour',
      'Boat',
      'QUAY',
    ]);
    expect(written).toMatchObject({ keywords: ['Harbour', 'night', 'quay', 'Boat'], added: ['Boat'] });
    expect(listByExiftool(outputPath, 'IPTC:Keywords')).toEqual(['Harbour', 'night', 'quay', 'Boat']);
    expect(listByExiftool(outputPath, 'XMP-dc:Subject')).toEqual(['NIGHT', 'quay', 'Harbour', 'Boat']);
    expect(readOthers(outputPath)).toEqual(readOthers(inputPath));
  });

  test('written twice, the same keywords add nothing and make no file', async () => {
    const first = await trial.write('twice.jpg', await sharp(plain).jpeg().toBuffer(), ['boat', 'Quay']);
    const again = await trial.write('twice.jpg', await readFile(first.outputPath), ['BOAT', 'quay']);
    expect(again.written).toEqual({ field: 'iptc+xmp', keywords: ['boat', 'Quay'], added: [], outputs: [] });
  });

  test.each([
    ['a TIFF of three pages', pages],
    [
      'an animated GIF',
      async () =>
        sharp(await frames(), { animated: true, pages: -1 })
          .gif()
          .toBuffer(),
    ],
    [
      'an animated WebP',
      async () =>
        sharp(await frames(), { animated: true, pages: -1 })
          .webp()
          .toBuffer(),
    ],
  ])('%s keeps every one of its images', async (name, make) => {
    const { inputPath, outputPath } = await trial.write(name, await make(), ['boat']);
    const before = await hashFrames(inputPath);
    expect(before).toContain('"pages":3');
    expect(await hashFrames(outputPath)).toBe(before);
    expect(readOthers(outputPath)).toEqual(readOthers(inputPath));
  });

  test('an animated PNG keeps its frames, and its notes', async () => {
    const still = await sharp(plain).png().toBuffer();
    const { outputPath } = await trial.write('moving.png', animatedPng(still), ['boat']);
    const imageOf = (png: Buffer) =>
      readPngChunks(png).filter(({ kind }) => !/^(zTXt|iTXt|tEXt)$/.test(kind));
    const after = await readFile(outputPath);
    expect(imageOf(after)).toEqual(imageOf(animatedPng(still)));
    // exiftool moves notes before the image, where every program finds them.
    expect(readPngChunks(after)).toContainEqual(note);
  });
});

const plain = {
  create: { width: 24, height: 16, channels: 3, background: { r: 9, g: 99, b: 200 } },
} as const;

/** Three frames below one another, as sharp takes them. */
async function frames(): Promise<Buffer> {
  const raw = Buffer.from(
    Array.from({ length: 24 * 48 * 3 }, (_, index) => (index % 1152 < 9 ? index % 251 : 40)),
  );
  return sharp(raw, { raw: { width: 24, height: 48, channels: 3, pageHeight: 16 } })
    .gif({ delay: [100, 200, 300] })
    .toBuffer();
}

async function pages(): Promise<Buffer> {
  return sharp(await frames(), { pages: -1 })
    .tiff({ compression: 'deflate' })
    .toBuffer();
}

const note: PngChunk = { kind: 'tEXt', body: Buffer.from('Author\0One of us', 'latin1') };

/** Two frames, the second as large as the first (PNG, third edition, 11.3.6). */
function animatedPng(still: Buffer): Buffer {
  const frame = (sequence: number) => bigEndian(sequence, 24, 16, 0, 0, 0x00010002, 0).subarray(0, 26);
  const second = deflateSync(Buffer.alloc(16 * (1 + 24 * 3), 7));
  const before = new Map([
    ['IDAT', [{ kind: 'fcTL', body: frame(0) }]],
    [
      'IEND',
      [{ kind: 'fcTL', body: frame(1) }, { kind: 'fdAT', body: Buffer.concat([bigEndian(2), second]) }, note],
    ],
  ]);
  const chunks = readPngChunks(still).flatMap((chunk) => [...(before.get(chunk.kind) ?? []), chunk]);
  return withPngChunk(writePng(chunks), 'acTL', bigEndian(2, 0));
}
