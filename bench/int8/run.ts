import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { createSession, type Int8Arithmetic } from '@lynceus/engine/session';
import { Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { type ClassPhoto, readImageNet } from '../accuracy/datasets.js';
import { installedModel } from '../engine.js';
import { formatTable } from '../table.js';

interface Outcome {
  readonly name: string;
  readonly classify: (image: Tensor) => Promise<Float32Array>;
  readonly cpuMs: number[];
  first: number;
  five: number;
}

const side = 299;
const centre = 0.875;

/** The 8-bit classifier in each way that 8-bit weights can be run, on the same images in turns: accuracy and CPU time. */
export async function runInt8(dir: string): Promise<void> {
  const { dir: model } = await installedModel('inception-v3');
  const manifest = JSON.parse(await readFile(join(model, 'manifest.json'), 'utf8')) as {
    readonly labels: readonly { readonly id: string }[];
  };
  const outcomes = [
    await open(join(model, 'model.onnx'), 'as they are (native)', 'native'),
    await open(join(model, 'model.onnx'), 'made unsigned (unsigned-weights)', 'unsigned-weights'),
    await open(join(model, 'model.onnx'), 'in floats, rounded alike', 'native', { disable_quant_qdq: '1' }),
  ];
  const images = await readImageNet(dir);
  for (const [index, sample] of images.entries()) {
    const image = await toImage(sample);
    const truth = manifest.labels.findIndex(({ id }) => id === sample.classId);
    // Another one begins each time, so that what a run leaves in caches favours none.
    for (let step = 0; step < outcomes.length; step++) {
      const outcome = outcomes[(index + step) % outcomes.length];
      if (outcome !== undefined) await measure(outcome, image, truth);
    }
  }
  const share = (count: number) => (count / images.length).toFixed(3);
  const rows = outcomes.map(({ name, first, five, cpuMs }) => [
    name,
    share(first),
    share(five),
    median(cpuMs).toFixed(1),
  ]);
  process.stdout.write(
    `${cpus()[0]?.model ?? 'a CPU'}, ${availableParallelism()} cores, ${images.length} images\n`,
  );
  process.stdout.write(`${formatTable([['8-bit weights', 'top-1', 'top-5', 'CPU ms, median'], ...rows])}\n`);
}

async function open(
  path: string,
  name: string,
  arithmetic: Int8Arithmetic,
  entries: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, extra: { session: entries } };
  const session = await createSession(path, options, arithmetic);
  const classify = async (image: Tensor) => {
    const data = (await session.run({ image }))['probabilities']?.data;
    if (!(data instanceof Float32Array)) throw new Error('the classifier gives no probabilities');
    return data;
  };
  return { name, classify, cpuMs: [], first: 0, five: 0 };
}

async function measure(outcome: Outcome, image: Tensor, truth: number): Promise<void> {
  const before = process.cpuUsage();
  const scores = await outcome.classify(image);
  const { user, system } = process.cpuUsage(before);
  outcome.cpuMs.push((user + system) / 1000);
  const better = scores.filter((score) => score > (scores[truth] ?? 0)).length;
  if (better === 0) outcome.first++;
  if (better < 5) outcome.five++;
}

/** The centre square, as the service cuts it. */
async function toImage({ bytes }: ClassPhoto): Promise<Tensor> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const square = Math.round(Math.min(width, height) * centre);
  const [left, top] = [Math.floor((width - square) / 2), Math.floor((height - square) / 2)];
  const pixels = await sharp(bytes)
    .extract({ left, top, width: square, height: square })
    .resize(side, side, { fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  return new Tensor('uint8', new Uint8Array(pixels), [1, side, side, 3]);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
