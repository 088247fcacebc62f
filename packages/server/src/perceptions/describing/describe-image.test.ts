import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { ServiceError } from '../../errors/service-error.js';
import { holdBytes } from '../../intake/held-picture.js';
import { toServiceError } from '../../recognition/engine-errors.js';
import type { DescribedFace, LookAtFaces } from '../look-at-faces.js';
import { createDescribeImage } from './describe-image.js';

const box = { xMin: 10, yMin: 20, xMax: 110, yMax: 140 };
const point = { x: 1, y: 1 };
const points = [point, point, point, point, point] as const;
const quality = {
  ...{ sizePx: 110, sharpness: 100, yawDeg: 0, pitchDeg: 0, rollDeg: 0, brightness: 128, problems: [] },
};
const enrolled = { width: 640, height: 480, box, score: 1, points, quality };
const image = { id: 1001, blobId: 'picture-1', face: enrolled };

/** What the looks answer, one after the other, the last one ever after. */
function describeBy(...looks: readonly (readonly DescribedFace[] | Error)[]) {
  let looked = 0;
  const lookAtFaces: LookAtFaces = async () => {
    const faces = looks[Math.min(looked, looks.length - 1)] ?? [];
    looked += 1;
    if (faces instanceof Error) throw faces;
    return { kind: 'jpeg', width: 640, height: 480, faces, models: [], timingsMs: {} };
  };
  const holdPicture = async (blobId: string) =>
    blobId === image.blobId ? holdBytes(Buffer.from('picture'), 'binary') : null;
  const describeImage = createDescribeImage({ holdPicture, lookAtFaces, busyMs: 1 });
  return (blobId = image.blobId, signal = new AbortController().signal) =>
    describeImage({ ...image, blobId }, { accountId: 1, embedder: 'other@1' }, signal);
}
const faceAt = (shift: number, size: number, number: number): DescribedFace => ({
  box: { xMin: 10 + shift, yMin: 20, xMax: 10 + shift + size, yMax: 20 + size },
  ...{ score: 1, points, quality, embedding: Float32Array.of(number) },
});
const fault = (code: EngineErrorCode) => {
  const told = toServiceError(new EngineError(code, 'a fault'));
  return told instanceof Error ? told : new Error('not told');
};

test('the face that is where the image has it is described, be another one larger', async () => {
  const described = await describeBy([faceAt(200, 300, 1), faceAt(5, 100, 2)])();
  expect(described).toEqual({ vector: Float32Array.of(2) });
  expect(await describeBy([faceAt(200, 300, 1)])()).toEqual({ reason: 'other-face' });
  expect(await describeBy([])()).toEqual({ reason: 'no-face' });
  expect(await describeBy([])('gone')).toEqual({ reason: 'picture-missing' });
});

test('while people wait it waits', async () => {
  const spoolFull = new ServiceError('service_busy', 'too many large pictures');
  const described = await describeBy(fault('busy'), fault('busy'), spoolFull, [faceAt(0, 110, 3)])();
  expect(described).toEqual({ vector: Float32Array.of(3) });
  const stopping = new AbortController();
  const waiting = describeBy(fault('busy'))(image.blobId, stopping.signal);
  stopping.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow(/stopped|aborted/);
});

test.each(['process-lost', 'timeout', 'internal'] as const)(
  'a picture at which the analysis fails (%s) is tried twice, and then left out',
  async (code) => {
    expect(await describeBy(fault(code), [faceAt(0, 110, 4)])()).toEqual({ vector: Float32Array.of(4) });
    expect(await describeBy(fault(code))()).toEqual({ reason: 'analysis-failed' });
  },
);

test.each(['picture-corrupt', 'picture-too-large', 'picture-empty', 'picture-unsupported'] as const)(
  'a picture that cannot be read (%s) is left out',
  async (code) => {
    expect(await describeBy(fault(code))()).toEqual({ reason: 'picture-damaged' });
  },
);

test('what is no fault of the picture is no reason to leave it out', async () => {
  await expect(describeBy(fault('model-missing'))()).rejects.toThrow(/not installed/);
  await expect(describeBy(new Error('disk'))()).rejects.toThrow('disk');
});
