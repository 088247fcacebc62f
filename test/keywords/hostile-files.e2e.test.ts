import { readdir, readFile, stat } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultExiftoolOptions, startExiftool } from '#server/drops/keywords/exiftool.js';
import { writeKeywords } from '#server/drops/keywords/write-keywords.js';
import { cameraJpeg } from './camera-jpeg.js';
import {
  haveExiftool,
  havePerl,
  type KeywordTrial,
  listByExiftool,
  never,
  startKeywordTrial,
} from './keyword-trial.js';
import { withPngChunk } from './png-chunks.js';

const image = { create: { width: 24, height: 16, channels: 3, background: 'red' } } as const;

describe.skipIf(!havePerl)('files that mean harm', () => {
  let trial: KeywordTrial;
  let jpeg: Buffer;
  beforeAll(async () => {
    trial = await startKeywordTrial();
    jpeg = await sharp(image).jpeg().toBuffer();
  });
  afterAll(() => trial.close());

  const jpegKind = { kind: 'image', image: 'jpeg' } as const;
  const request = async (bytes: Buffer, keywords: readonly string[]) => {
    const inputPath = await trial.put('hostile.jpg', bytes);
    const outputPath = `${inputPath}.out`;
    return {
      inputPath,
      outputPath,
      kind: jpegKind,
      keywords,
      rawFiles: 'sidecar',
      maxFileBytes: 1e8,
    } as const;
  };
  /** A JPEG whose XMP holds keywords that no program of ours would let through. */
  const withXmpKeywords = (...keywords: readonly string[]) => {
    const items = keywords.map((keyword) => `<rdf:li>${keyword}</rdf:li>`).join('');
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag>${items}</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;
    const body = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`);
    const head = Buffer.from([0xff, 0xe1, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
  };

  test('a keyword with a line break gives exiftool no order, and is one line in IPTC', async () => {
    const bytes = withXmpKeywords('a&#10;-execute&#10;-o&#10;/tmp/x', '{ready}', '&#10;{ready}&#10;');
    const { written } = await trial.write('hostile.jpg', bytes, ['boat\n-delete_original!\nx', '-IPTC:all=']);
    expect(written.keywords).toEqual([
      'a -execute -o /tmp/x',
      '{ready}',
      'boat -delete_original! x',
      '-IPTC:all=',
    ]);
  });

  test('keywords that look like the end of an answer do not shift the answers of other images', async () => {
    const hostile = withXmpKeywords('{ready}', '&#10;{ready}&#10;');
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        trial.write('any.jpg', index % 2 === 0 ? hostile : jpeg, [`image ${index}`]),
      ),
    );
    expect(results.map(({ written }) => written.keywords)).toEqual(
      results.map((_, index) => (index % 2 === 0 ? ['{ready}', `image ${index}`] : [`image ${index}`])),
    );
  });

  test('as many keywords as are accepted are written into the other place too', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `k${index}`);
    const { written, outputPath } = await trial.write('many.jpg', withXmpKeywords(...many), ['boat']);
    expect(written.keywords).toEqual([...many, 'boat']);
    if (haveExiftool) expect(listByExiftool(outputPath, 'IPTC:Keywords')).toEqual([...many, 'boat']);
  });

  test('more keywords than anyone wrote are refused', async () => {
    const many = withXmpKeywords(...Array.from({ length: 1500 }, (_, index) => `k${index}`));
    await expect(trial.write('many.jpg', many, ['boat'])).rejects.toMatchObject({ code: 'too-large' });
  });

  test.each([
    ['cut in the middle of its metadata', (bytes: Buffer) => bytes.subarray(0, 300)],
    ['without an image behind its metadata', (bytes: Buffer) => bytes.subarray(0, 1200)],
    ['with noise for its EXIF', (bytes: Buffer) => Buffer.from(bytes).fill(0x5a, 30, 200)],
  ])('a file %s is refused or written whole, and leaves nothing behind', async (_name, damage) => {
    const bytes = damage((await cameraJpeg()).bytes);
    const wanted = await request(bytes, ['boat']);
    const written = await writeKeywords(trial.exiftool, wanted, never()).catch((error: unknown) => error);
    expect(await readFile(wanted.inputPath)).toEqual(bytes);
    if (written instanceof Error) {
      expect(written).toMatchObject({ name: 'KeywordError', code: 'damaged' });
      expect(written.message).not.toContain(trial.folder);
      await expect(stat(wanted.outputPath)).rejects.toThrow('ENOENT');
    } else {
      expect(written).toMatchObject({ keywords: ['Harbour', 'boat'] });
    }
    expect((await readdir(trial.folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test.each([
    ['without its end', (bytes: Buffer) => bytes.subarray(0, -12)],
    ['cut amid its pixels', (bytes: Buffer) => bytes.subarray(0, -20)],
    ['cut amid its end', (bytes: Buffer) => bytes.subarray(0, -4)],
  ])('a PNG %s is damaged, and the disk is not blamed', async (_name, damage) => {
    const png = await sharp(jpeg).png().toBuffer();
    await expect(trial.write('cut.png', damage(png), ['boat'])).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('damaged or cut short'),
    });
  });

  test('a file larger than is allowed is refused before exiftool sees it', async () => {
    const wanted = { ...(await request(jpeg, ['boat'])), maxFileBytes: 100 };
    await expect(writeKeywords(trial.exiftool, wanted, never())).rejects.toMatchObject({ code: 'too-large' });
  });

  test('names with quotes, percent signs, spaces and dashes are names', async () => {
    for (const name of ['-execute', '%d%f.jpg', "it's $(touch x)|", '@list', 'snö 雪.jpg']) {
      const { written, outputPath } = await trial.write(name, jpeg, ['boat']);
      expect(written.outputs).toEqual([{ role: 'image', path: outputPath }]);
    }
  });

  test('an image whose notes unfold without end takes no more memory than it may, and the next one is written', async () => {
    const exiftool = startExiftool({
      ...defaultExiftoolOptions,
      processes: 1,
      maxMemoryBytes: 256 * 1024 ** 2,
    });
    try {
      const note = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(400 * 1024 ** 2))]);
      const bomb = withPngChunk(await sharp(image).png().toBuffer(), 'zTXt', note);
      const png = { kind: 'image', image: 'png' } as const;
      const wanted = { ...(await request(bomb, ['boat'])), kind: png };
      await expect(writeKeywords(exiftool, wanted, never())).rejects.toMatchObject({ code: 'interrupted' });
      await expect(writeKeywords(exiftool, await request(jpeg, ['boat']), never())).resolves.toMatchObject({
        keywords: ['boat'],
      });
    } finally {
      await exiftool.close();
    }
  }, 300_000);
});
