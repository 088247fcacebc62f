import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { createSession } from '@lynceus/engine/session';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import type { RecordedRun } from './record-runs.js';

/** A model and the size of its input in pixels. */
export interface BareModel {
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  /** Detectors take thresholds. */
  readonly thresholds: boolean;
}

/** Does all that is to be done with one image. */
export type BareWork = (index: number) => Promise<void>;

/** Decodes, resizes to each model's input and runs the model. */
export async function resizeAndRun(
  jpegs: readonly Buffer[],
  models: readonly BareModel[],
): Promise<BareWork> {
  const sessions = await Promise.all(models.map(({ dir }) => openSession(dir)));
  return async (index) => {
    const jpeg = jpegs[index];
    const whole =
      models.length > 1 ? await sharp(jpeg).autoOrient().raw().toBuffer({ resolveWithObject: true }) : null;
    for (const [modelIndex, { width, height, thresholds }] of models.entries()) {
      const source = whole ? sharp(whole.data, { raw: whole.info }) : sharp(jpeg).autoOrient();
      const pixels = await source.resize(width, height, { fit: 'fill' }).raw().toBuffer();
      const image = new Tensor('uint8', pixels, [1, height, width, 3]);
      const cuts = thresholds
        ? {
            score_threshold: new Tensor('float32', Float32Array.of(0.2), [1]),
            iou_threshold: new Tensor('float32', Float32Array.of(0.45), [1]),
          }
        : {};
      await sessions[modelIndex]?.run({ image, ...cuts });
    }
  };
}

/** Decodes and makes the recorded runs: nothing is resized, cut or decided. */
export async function decodeAndReplay(
  jpegs: readonly Buffer[],
  recordings: readonly string[],
): Promise<BareWork> {
  const runs = await Promise.all(
    recordings.map(async (path) => deserialize(await readFile(path)) as RecordedRun[]),
  );
  const sessions = new Map<string, InferenceSession>();
  for (const { dir } of runs.flat()) {
    if (!sessions.has(dir)) sessions.set(dir, await openSession(dir));
  }
  return async (index) => {
    await sharp(jpegs[index]).autoOrient().raw().toBuffer();
    for (const { dir, feeds } of runs[index] ?? []) {
      const tensors = Object.entries(feeds).map(([name, feed]) => [name, tensorOf(feed)] as const);
      await sessions.get(dir)?.run(Object.fromEntries(tensors));
    }
  };
}

/** With 8-bit arithmetic as the service has it: what is compared is what stands around the graphs. */
function openSession(dir: string): Promise<InferenceSession> {
  return createSession(join(dir, 'model.onnx'), { intraOpNumThreads: 1, interOpNumThreads: 1 });
}

function tensorOf({ data, dims }: RecordedRun['feeds'][string]): Tensor {
  if (data instanceof Float32Array) return new Tensor('float32', data, dims);
  if (data instanceof BigInt64Array) return new Tensor('int64', data, dims);
  if (data instanceof Int32Array) return new Tensor('int32', data, dims);
  return new Tensor('uint8', data, dims);
}
