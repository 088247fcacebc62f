import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFileKind } from '#server/drops/keywords/file-kind.js';
import { takeRawPreview } from '#server/drops/keywords/raw-preview.js';
import { cameraRaws } from './camera-raw.js';
import {
  haveExiftool,
  havePerl,
  type KeywordTrial,
  listByExiftool,
  never,
  startKeywordTrial,
} from './keyword-trial.js';
import { mosaic } from './raw-file.js';

describe.skipIf(!havePerl)('raw files of camera makers', () => {
  let trial: KeywordTrial;
  let preview: Buffer;
  beforeAll(async () => {
    trial = await startKeywordTrial();
    preview = await sharp({ create: { width: 1024, height: 640, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(() => trial.close());

  test.each(Object.entries(cameraRaws))(
    '%s is recognised by its content, and its JPEG is extracted',
    async (type, make) => {
      const inputPath = await trial.put('any.bin', make(preview));
      expect(await findFileKind(trial.exiftool, inputPath, never())).toEqual({ kind: 'raw', type });
      const outputPath = `${inputPath}.preview`;
      await takeRawPreview(trial.exiftool, { inputPath, outputPath, maxBytes: 1e6 }, never());
      expect((await readFile(outputPath)).equals(preview)).toBe(true);
    },
  );

  test.each(Object.entries(cameraRaws))(
    '%s gets keywords in it or beside it, and keeps its images',
    async (type, make) => {
      const bytes = make(preview);
      const { written, outputPath } = await trial.write('raw', bytes, ['boat'], { rawFiles: 'embedded' });
      const isInside = type !== 'RAF';
      expect(written).toMatchObject({ field: isInside ? 'iptc+xmp' : 'sidecar', keywords: ['boat'] });
      const path = isInside ? outputPath : `${outputPath}.xmp`;
      if (haveExiftool) expect(listByExiftool(path, 'XMP-dc:Subject')).toEqual(['boat']);
      if (!isInside) return;
      const after = await readFile(outputPath);
      expect(after.includes(preview)).toBe(true);
      expect(after.includes(mosaic)).toBe(bytes.includes(mosaic));
      expect(await findFileKind(trial.exiftool, outputPath, never())).toEqual({ kind: 'raw', type });
    },
  );
});
