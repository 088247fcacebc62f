import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { emptyZip, heic, longGif, pngBomb, svg, zip } from '../hostile/files.js';
import { noise } from '../hostile/noise.js';
import type { Code, Hostilities } from '../hostile/use-guarded-service.js';
import type { V2Answer } from '../support/answers.js';
import { sample, upload } from '../support/sample.js';

export function testImages(hostilities: () => Hostilities): void {
  describe('an image that is none', () => {
    test.each<readonly [string, () => Buffer | Promise<Buffer>, Code]>([
      ['empty', () => Buffer.alloc(0), 'no_file'],
      ['of one byte', () => Buffer.from([0xff]), 'unsupported_image'],
      ['a JPEG cut in half', () => sample.subarray(0, sample.length / 2), 'unsupported_image'],
      ['the first bytes of a JPEG', () => sample.subarray(0, 20), 'unsupported_image'],
      ['a PNG cut in half', async () => halfOf(await sharp(sample).png().toBuffer()), 'unsupported_image'],
      ['noise', () => noise(50_000), 'unsupported_image'],
      ['noise behind the beginning of a JPEG', () => disguised(sample.subarray(0, 4)), 'unsupported_image'],
      ['noise behind the beginning of a HEIC', () => disguised(heic.subarray(0, 32)), 'unsupported_image'],
      ['text', () => Buffer.from('This is not an image.\n'.repeat(2000)), 'unsupported_image'],
      ['a zip', () => zip, 'unsupported_image'],
      ['an empty zip', () => emptyZip, 'unsupported_image'],
      ['an SVG with references', () => svg, 'unsupported_image'],
      ['a PNG of 361 million pixels', () => pngBomb(19_000, 19_000), 'file_too_large'],
      ['a HEIC cut in half', () => halfOf(heic), 'unsupported_image'],
    ])('%s is refused by both generations', async (_name, make, code) => {
      const { remote, v1, v2, expectRefusal } = hostilities();
      const file = await make();
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'image.jpg');
      const startedAt = performance.now();
      await expectRefusal(await v1('/predict/image', {}, form), code, 1);
      await expectRefusal(await v2({ base64str: file.toString('base64') }), code, 2);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(remote.asked).toEqual([]);
    });

    test('a GIF of 10,000 frames is answered by its first frame, quickly', async () => {
      const { v1, answered } = hostilities();
      const gif = longGif(await sharp(sample).resize(320).gif({ colours: 32 }).toBuffer(), 1);
      const blank = await sharp({ create: { width: 320, height: 240, channels: 3, background: 'white' } })
        .gif()
        .toBuffer();
      const long = Buffer.concat([gif.subarray(0, -1), framesOf(longGif(blank, 9_999))]);
      expect((await sharp(long, { pages: 1 }).metadata()).pages).toBe(10_000);
      const startedAt = performance.now();
      const answer = await v1('/predict/object_detection/', { model_id: '102' }, upload(long));
      expect(answer.status).toBe(200);
      answered(1);
      expect(performance.now() - startedAt).toBeLessThan(5000);
      const { predictions } = (await answer.json()) as V2Answer;
      expect(predictions[0]).toMatchObject({ class_title: 'stop sign' });
    });

    test('a HEIC is an image', async () => {
      const { v1, answered } = hostilities();
      const answer = await v1('/predict/object_detection/', { model_id: '102' }, upload(heic));
      expect(answer.status).toBe(200);
      answered(1);
    });
  });
}

const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
const disguised = (beginning: Buffer) => Buffer.concat([beginning, noise(50_000)]);
const framesOf = (gif: Buffer) => gif.subarray(gif.indexOf(Buffer.from([0x21, 0xf9])));
