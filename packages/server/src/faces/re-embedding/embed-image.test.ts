import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { toServiceError } from '../../core/engine-errors.js';
import { ServiceError } from '../../core/service-error.js';
import { holdBytes } from '../../intake/held-image.js';
import type { EmbeddedFace, LookAtFaces } from '../look-at-faces.js';
import { createEmbedImage } from './embed-image.js';

const box = { xMin: 10, yMin: 20, xMax: 110, yMax: 140 };
const point = { x: 1, y: 1 };
const points = [point, point, point, point, point] as const;
const quality = {
  sizePx: 110,
  sharpness: 100,
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: 0,
  brightness: 128,
  problems: [],
};
const enrolled = { width: 640, height: 480, box, score: 1, points, quality };
const image = { id: 1001, blobId: 'image-1', face: enrolled };

/** What the looks answer, one after the other, the last one ever after. */
function embedWith(...looks: readonly (readonly EmbeddedFace[] | Error)[]) {
  let looked = 0;
  const lookAtFaces: LookAtFaces = async () => {
    const faces = looks[Math.min(looked, looks.length - 1)] ?? [];
    looked += 1;
    if (faces instanceof Error) throw faces;
    return { kind: 'jpeg', width: 640, height: 480, faces, models: [], timingsMs: {} };
  };
  const holdImage = async (blobId: string) =>
    blobId === image.blobId ? holdBytes(Buffer.from('image')) : null;
  const embedImage = createEmbedImage({ holdImage, lookAtFaces, busyMs: 1 });
  return (blobId = image.blobId, signal = new AbortController().signal) =>
    embedImage({ ...image, blobId }, { accountId: 1, embedder: 'other@1' }, signal);
}
const faceAt = (shift: number, size: number, number: number): EmbeddedFace => ({
  box: { xMin: 10 + shift, yMin: 20, xMax: 10 + shift + size, yMax: 20 + size },
  score: 1,
  points,
  quality,
  embedding: Float32Array.of(number),
});
const fault = (code: EngineErrorCode) => {
  const serviceError = toServiceError(new EngineError(code, 'a fault'));
  return serviceError instanceof Error ? serviceError : new Error('not thrown');
};

test('the face that is where the image has it is described, be another one larger', async () => {
  const embedded = await embedWith([faceAt(200, 300, 1), faceAt(5, 100, 2)])();
  expect(embedded).toEqual({ vector: Float32Array.of(2), quality });
  expect(await embedWith([faceAt(200, 300, 1)])()).toEqual({ reason: 'other-face' });
  expect(await embedWith([])()).toEqual({ reason: 'no-face' });
  expect(await embedWith([])('gone')).toEqual({ reason: 'image-missing' });
});

test('while people wait it waits', async () => {
  const spoolFull = new ServiceError('service_busy', 'too many large images');
  const embedded = await embedWith(fault('busy'), fault('busy'), spoolFull, [faceAt(0, 110, 3)])();
  expect(embedded).toEqual({ vector: Float32Array.of(3), quality });
  const stopping = new AbortController();
  const waiting = embedWith(fault('busy'))(image.blobId, stopping.signal);
  stopping.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow(/stopped|aborted/);
});

test.each(['process-crashed', 'timeout', 'internal'] as const)(
  'an image at which the analysis fails (%s) is tried twice, and then left out',
  async (code) => {
    expect(await embedWith(fault(code), [faceAt(0, 110, 4)])()).toEqual({
      vector: Float32Array.of(4),
      quality,
    });
    expect(await embedWith(fault(code))()).toEqual({ reason: 'analysis-failed' });
  },
);

test.each(['image-corrupt', 'image-too-large', 'image-empty', 'image-unsupported'] as const)(
  'an image that cannot be read (%s) is left out',
  async (code) => {
    expect(await embedWith(fault(code))()).toEqual({ reason: 'image-damaged' });
  },
);

test('what is no fault of the image is no reason to leave it out', async () => {
  await expect(embedWith(fault('model-missing'))()).rejects.toThrow(/not installed/);
  await expect(embedWith(new Error('disk'))()).rejects.toThrow('disk');
});
