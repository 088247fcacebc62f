import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultExiftoolOptions, startExiftool } from '../drops/keywords/exiftool.js';
import { withPreview } from './with-preview.js';

let dir: string;
let exiftool: ReturnType<typeof startExiftool>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'with-preview-'));
  exiftool = startExiftool({ ...defaultExiftoolOptions, perl: '/nowhere/perl' });
});
afterAll(async () => {
  await exiftool.close();
  await rm(dir, { recursive: true, force: true });
});

async function open(name: string, bytes: Buffer) {
  const path = join(dir, name);
  await writeFile(path, bytes);
  return withPreview(path, { exiftool, dir, maxImageBytes: 1e6 }, async (source) => source);
}

test('without perl a TIFF is used as it is, and a raw file names what is missing', async () => {
  const create = { width: 8, height: 8, channels: 3, background: 'red' } as const;
  const tiff = await sharp({ create }).tiff().toBuffer();
  expect(await open('a.tif', tiff)).toEqual({ kind: 'file', path: join(dir, 'a.tif') });
  const canon = Buffer.concat([Buffer.from('II*\0\x10\0\0\0CR\x02\0', 'latin1'), Buffer.alloc(400)]);
  await expect(open('a.cr2', canon)).rejects.toMatchObject({ name: 'KeywordError', code: 'unavailable' });
});
