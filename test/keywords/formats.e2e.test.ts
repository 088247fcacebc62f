import { readFile, stat } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { smallHeic, smallImages } from '../fuzz/images.js';
import {
  haveExiftool,
  haveExiv2,
  havePerl,
  type KeywordTrial,
  listByExiftool,
  readByExiv2,
  startKeywordTrial,
} from './keyword-trial.js';
import { hashFrames, hashPixels } from './pixels.js';

const keywords = [
  'Čapí hnízdo',
  'stop sign',
  '007',
  '1.50',
  'true',
  '日本語',
  '🦩',
  "O'Hare & sons; <b>",
  'a, b',
];

const metadataTargets: readonly (readonly [RegExp, 'iptc+xmp' | 'xmp' | 'sidecar'])[] = [
  [/^(jpeg|png|tiff)/, 'iptc+xmp'],
  [/^(webp|gif|avif|heic)/, 'xmp'],
  [/^(bmp|BigTIFF)/, 'sidecar'],
];
const images = Object.entries({
  ...(await smallImages()),
  heic: smallHeic,
  BigTIFF: await bigTiff(),
}).flatMap(([name, bytes]) => {
  const metadataTarget = metadataTargets.find(([kind]) => kind.test(name));
  return metadataTarget ? [{ name, bytes, metadataTarget: metadataTarget[1] }] : [];
});

async function bigTiff(): Promise<Buffer> {
  const plain = { create: { width: 24, height: 16, channels: 3, background: 'teal' } } as const;
  return sharp(plain).tiff({ bigtiff: true }).toBuffer();
}

describe.skipIf(!havePerl)('keywords in every format', () => {
  let trial: KeywordTrial;
  beforeAll(async () => {
    trial = await startKeywordTrial();
  });
  afterAll(() => trial.close());

  test.each(images)(
    '$name: they are in the place of the format, and the pixels are the same',
    async ({ name, bytes, metadataTarget }) => {
      const { written, inputPath, outputPath } = await trial.write(name, bytes, keywords);
      expect(written).toMatchObject({ field: metadataTarget, keywords, added: keywords });
      expect(await readFile(inputPath)).toEqual(bytes);
      const [output] = written.outputs;
      if (!output) throw new Error('there is no output');
      expect((await stat(output.path)).mode & 0o777).toBe(0o600);
      if (haveExiftool) {
        expect(listByExiftool(output.path, 'XMP-dc:Subject')).toEqual(keywords);
        expect(listByExiftool(output.path, 'IPTC:Keywords')).toEqual(
          metadataTarget === 'iptc+xmp' ? keywords : [],
        );
      }
      if (metadataTarget === 'sidecar') {
        expect(output).toEqual({ role: 'sidecar', path: `${outputPath}.xmp` });
        return;
      }
      expect(output).toEqual({ role: 'image', path: outputPath });
      expect(await hashPixels(outputPath)).toBe(await hashPixels(inputPath));
      if (!name.startsWith('heic')) expect(await hashFrames(outputPath)).toBe(await hashFrames(inputPath));
      // It knows no GIF's XMP, and Debian builds it without HEIC and AVIF.
      if (haveExiv2 && !/^(gif|avif|heic)/.test(name)) {
        expect(readByExiv2(outputPath, 'Xmp.dc.subject').join()).toBe(keywords.join(', '));
        if (metadataTarget === 'iptc+xmp')
          expect(readByExiv2(outputPath, 'Iptc.Application2.Keywords')).toEqual(keywords);
      }
    },
  );

  test('what is no image is left alone', async () => {
    const { written } = await trial.write('notes.jpg', Buffer.from('not an image at all'), keywords);
    expect(written).toEqual({ field: null, keywords: [], added: [], outputs: [] });
  });
});
