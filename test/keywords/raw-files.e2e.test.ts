import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openImage } from '@lynceus/engine';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingsOf } from '#server/cli/context.js';
import { withImages } from '#server/cli/predict-sources.js';
import { findFileKind } from '#server/drops/keywords/file-kind.js';
import { takeRawPreview } from '#server/drops/keywords/raw-preview.js';
import {
  haveExiftool,
  havePerl,
  type KeywordTrial,
  listByExiftool,
  never,
  startKeywordTrial,
  tagByExiftool,
} from './keyword-trial.js';
import { mosaic, rawFile } from './raw-file.js';

describe.skipIf(!havePerl)('raw files', () => {
  let trial: KeywordTrial;
  let preview: Buffer;
  beforeAll(async () => {
    trial = await startKeywordTrial();
    preview = await sharp({ create: { width: 1024, height: 640, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(() => trial.close());

  const take = async (bytes: Buffer, maxBytes = 1e6) => {
    const inputPath = await trial.put('raw.jpg', bytes);
    const outputPath = `${inputPath}.preview`;
    return {
      ...(await takeRawPreview(trial.exiftool, { inputPath, outputPath, maxBytes }, never())),
      outputPath,
    };
  };

  test('raw files are recognised by content, and a plain TIFF is not one', async () => {
    const kindOf = async (bytes: Buffer) =>
      findFileKind(trial.exiftool, await trial.put('any.jpg', bytes), never());
    expect(await kindOf(rawFile({ preview }))).toEqual({ kind: 'raw', type: 'DNG' });
    expect(await kindOf(rawFile({ preview, version: false }))).toEqual({ kind: 'raw', type: null });
    const tiff = await sharp(preview).tiff().toBuffer();
    expect(await kindOf(tiff)).toEqual({ kind: 'image', image: 'tiff' });
    expect(await kindOf(preview)).toEqual({ kind: 'image', image: 'jpeg' });
    expect(await kindOf(Buffer.from('%PDF-1.7'))).toMatchObject({ kind: 'other', reason: /PDF/ });
    expect(await kindOf(Buffer.from('FUJIFILMCCD-RAW cut short'))).toMatchObject({ kind: 'other' });
    expect(await kindOf(Buffer.alloc(0))).toMatchObject({ kind: 'other', reason: /empty/ });
  });

  test('the embedded preview is seen the way the raw file is turned', async () => {
    const { tag, orientation, outputPath } = await take(rawFile({ preview }));
    expect({ tag, orientation }).toEqual({ tag: 'IFD0:PreviewImage', orientation: 6 });
    const source = { kind: 'file', path: outputPath } as const;
    const seen = await openImage(source, { limits: { maxPixels: 1e6 }, detailPx: 64 });
    expect([seen.width, seen.height]).toEqual([640, 1024]);
  });

  test('a preview that is turned by itself keeps its own turn', async () => {
    const turned = await sharp(preview).withMetadata({ orientation: 3 }).jpeg().toBuffer();
    expect(await take(rawFile({ preview: turned }))).toMatchObject({ orientation: 3 });
  });

  test.each([
    ['none', {}, 1e6],
    ['one that is too large', { preview: true }, 100],
  ])('a raw file with %s is refused with a sentence that says what to do', async (_name, has, maxBytes) => {
    const bytes = rawFile('preview' in has ? { preview } : {});
    await expect(take(bytes, maxBytes)).rejects.toMatchObject({
      code: 'no-preview',
      message: /send a JPEG beside it/,
    });
  });

  test('a thumbnail is no image to look at, and the refusal has its size', async () => {
    const thumbnail = await sharp(preview).resize(160).jpeg().toBuffer();
    await expect(take(rawFile({ preview: thumbnail }))).rejects.toMatchObject({
      code: 'no-preview',
      message: /160x100 pixels, and 1000 along one side/,
    });
  });

  test('predict looks at the preview of a raw file that is named or in a folder, and refuses a thumbnail', async () => {
    const folder = await mkdtemp(join(trial.folder, 'predict-'));
    const thumbnail = await sharp(preview).resize(160).jpeg().toBuffer();
    await writeFile(join(folder, 'a.dng'), rawFile({ preview }));
    await writeFile(join(folder, 'b.dng'), rawFile({ preview: thumbnail }));
    await writeFile(join(folder, 'c.tif'), await sharp(preview).tiff().toBuffer());
    const context = { env: {}, cwd: folder, print: () => undefined, note: () => undefined };
    const sources = { images: ['a.dng', folder], isNullEnded: false, isRecursive: false };
    const sizes: unknown[] = [];
    await withImages(sources, settingsOf(context).settings, context, async (images) => {
      for await (const { use } of images) {
        const size = await use(async (source) => {
          const { width, height } = await openImage(source, { limits: { maxPixels: 1e6 }, detailPx: 64 });
          return [width, height];
        }).catch((error: unknown) => String(error));
        sizes.push(size);
      }
    });
    expect(sizes).toEqual([[640, 1024], [640, 1024], expect.stringContaining('160x100 pixels'), [1024, 640]]);
  });

  test('by default a sidecar holds the keywords, with the XMP that was in the file', async () => {
    const path = await trial.put('tagged.dng', rawFile({ preview }));
    if (haveExiftool)
      tagByExiftool(path, '-XMP-xmp:Rating=5', '-XMP-dc:Subject=quay', '-IPTC:Keywords=harbour');
    const bytes = await readFile(path);
    const { written, outputPath } = await trial.write('raw.dng', bytes, ['boat']);
    expect(written).toMatchObject({
      field: 'sidecar',
      outputs: [{ role: 'sidecar', path: `${outputPath}.xmp` }],
    });
    if (!haveExiftool) return;
    expect(written.keywords.toSorted()).toEqual(['boat', 'harbour', 'quay']);
    expect(listByExiftool(`${outputPath}.xmp`, 'XMP-dc:Subject').toSorted()).toEqual([
      'boat',
      'harbour',
      'quay',
    ]);
    expect(listByExiftool(`${outputPath}.xmp`, 'XMP-xmp:Rating')).toEqual(['5']);
  });

  test('embedded, they are in the file, and the mosaic and the preview are the same', async () => {
    const bytes = rawFile({ preview });
    const { written, outputPath } = await trial.write('raw.dng', bytes, ['boat'], { rawFiles: 'embedded' });
    expect(written).toMatchObject({ field: 'iptc+xmp', keywords: ['boat'] });
    const after = await readFile(outputPath);
    expect(await findFileKind(trial.exiftool, outputPath, never())).toEqual({ kind: 'raw', type: 'DNG' });
    expect(after.includes(preview)).toBe(true);
    expect(after.includes(mosaic)).toBe(true);
  });

  test('a raw file whose maker is unknown gets a sidecar, whatever the setting', async () => {
    const bytes = rawFile({ preview, version: false });
    const { written } = await trial.write('raw', bytes, ['boat'], { rawFiles: 'embedded' });
    expect(written.field).toBe('sidecar');
  });
});
