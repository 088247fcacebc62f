import { buildModel, type Recipe } from '@lynceus/engine/onnx';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { loadReferenceNet } from './reference-net.js';

export interface Subject {
  readonly id: string;
  readonly recipe: Recipe;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly images: readonly Uint8Array[];
  /** Both sides of the image in pixels, as the original declares them. */
  readonly side: number;
}

export interface Agreement {
  readonly id: string;
  readonly images: number;
  /** Largest difference of all inputs of the decoding of boxes: of scores, and of boxes in image sides. */
  readonly maxDifference: number;
  /** Medians; ours with decoding and suppression, the original's without. */
  readonly ownCpuMs: number;
  readonly referenceCpuMs: number;
}

const oneThread = { intraOpNumThreads: 1, interOpNumThreads: 1 };

/** Runs both nets on the same pixels, in turns, so that a change of the machine's speed affects both. */
export async function compareModel(subject: Subject): Promise<Agreement> {
  const { id, recipe, files, images, side } = subject;
  if (recipe.importer !== 'tfjs') throw new Error(`${id} does not come from TensorFlow.js`);
  const outputs = netOutputs(recipe.head, side);
  const reference = await loadReferenceNet(
    files,
    recipe,
    outputs.map(({ name }) => name),
    side,
  );
  const revealed = buildModel(recipe, files, { withHeadInputs: true });
  const own = await InferenceSession.create(buildModel(recipe, files), oneThread);
  const ownRevealed = await InferenceSession.create(revealed, oneThread);

  let maxDifference = 0;
  const ownCpuMs: number[] = [];
  const referenceCpuMs: number[] = [];
  for (const image of images) {
    const raster = await sharp(image)
      .removeAlpha()
      .toColourspace('srgb')
      .resize(side, side, { fit: 'fill' })
      .raw()
      .toBuffer();
    const feeds = {
      image: new Tensor('uint8', new Uint8Array(raster), [1, side, side, 3]),
      score_threshold: new Tensor('float32', [0.3], [1]),
      iou_threshold: new Tensor('float32', [0.6], [1]),
    };
    const expected = reference.run(Float32Array.from(raster));
    const given = await ownRevealed.run(feeds);
    for (const [index, { unit }] of outputs.entries()) {
      const difference = largestDifference(expected[index], given[`head_input_${index}`]?.data) / unit;
      maxDifference = Math.max(maxDifference, difference);
    }
    ownCpuMs.push(await cpuMs(() => own.run(feeds)));
    referenceCpuMs.push(await cpuMs(async () => reference.run(Float32Array.from(raster))));
  }
  const times = { ownCpuMs: median(ownCpuMs), referenceCpuMs: median(referenceCpuMs) };
  return { id, images: images.length, maxDifference, ...times };
}

/** In the order in which the head takes them; `unit` is what 1 means in a score or a share of the image's side. */
function netOutputs(head: Recipe['head'], side: number): { readonly name: string; readonly unit: number }[] {
  switch (head.head) {
    case 'ssd':
      return [
        { name: head.scores, unit: 1 },
        { name: head.boxes, unit: 1 },
      ];
    case 'centernet':
      return [
        { name: head.heatMap, unit: 1 },
        // In pixels, up to several hundred.
        { name: head.sizes, unit: side },
      ];
    default:
      throw new Error(`no detector: ${head.head}`);
  }
}

function largestDifference(expected: Float32Array | undefined, given: Tensor['data'] | undefined): number {
  if (!expected || !(given instanceof Float32Array) || given.length !== expected.length)
    return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let index = 0; index < expected.length; index++) {
    const difference = Math.abs((expected[index] ?? 0) - (given[index] ?? 0));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  await work();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
