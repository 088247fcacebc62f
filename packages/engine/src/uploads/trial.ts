import type { Tensor } from 'onnxruntime-node';
import { Tensor as OrtTensor } from 'onnxruntime-node';
import { imageTensor, openSession, runSession } from './observe.js';
import type { Recognition } from './recognise.js';
import { UploadRefused } from './upload-refused.js';

export interface Trial {
  readonly cost: { readonly ms: number; readonly mb: number };
  readonly notes: readonly string[];
}

type Outputs = Readonly<Record<string, Tensor>>;

/** Runs the finished graph on three images and checks the contract of its family. */
export async function tryModel(model: Uint8Array, { family, plan }: Recognition): Promise<Trial> {
  const session = await openSession(model);
  const thresholds =
    family === 'detector'
      ? {
          score_threshold: new OrtTensor('float32', Float32Array.of(0.01), [1]),
          iou_threshold: new OrtTensor('float32', Float32Array.of(0.45), [1]),
        }
      : {};
  const times: number[] = [];
  const answers: Outputs[] = [];
  for (const seed of [1, 2, 3]) {
    const image = imageTensor(plan.input, seed);
    const start = performance.now();
    answers.push(await runSession(session, { image, ...thresholds }));
    times.push(performance.now() - start);
  }
  for (const outputs of answers) check(outputs, family, plan.labels.length);
  const mb = Math.round(process.memoryUsage.rss() / 2 ** 20);
  await session.release();
  const [, ms = 0] = times.toSorted((a, b) => a - b);
  return {
    cost: { ms: Math.round(ms * 10) / 10, mb },
    notes: family === 'detector' ? [] : sameNote(answers),
  };
}

function check(outputs: Outputs, family: Recognition['family'], labels: number): void {
  switch (family) {
    case 'classifier': {
      const row = floats(outputs, 'probabilities', [1, labels]);
      if (row.some((number) => number < -1e-3 || number > 1.001)) {
        throw new UploadRefused(
          'the scores of the classes do not lie between 0 and 1; give activation (softmax or sigmoid)',
        );
      }
      return;
    }
    case 'embedder':
      floats(outputs, 'embedding', [1, outputs['embedding']?.dims[1] ?? 0]);
      return;
    case 'detector': {
      const count = outputs['scores']?.dims[0] ?? 0;
      floats(outputs, 'boxes', [count, 4]);
      const scores = floats(outputs, 'scores', [count]);
      if (scores.some((score) => score > 1.001))
        throw new UploadRefused(
          'scores of boxes are above 1; give activation (sigmoid or softmax) or the layout',
        );
    }
  }
}

function floats(outputs: Outputs, name: string, dims: readonly number[]): Float32Array {
  const tensor = outputs[name];
  if (!(tensor?.data instanceof Float32Array) || tensor.dims.join() !== dims.join())
    throw new UploadRefused(`the model gives ${name} as [${tensor?.dims ?? ''}], not as [${dims}]`);
  if (!tensor.data.every(Number.isFinite)) {
    throw new UploadRefused(
      `the model gives numbers that are not finite for an ordinary image; check input.mean and input.std, or the export`,
    );
  }
  return tensor.data;
}

function sameNote(answers: readonly Outputs[]): string[] {
  const rows = answers.map((outputs) => Object.values(outputs)[0]?.data.toString());
  return new Set(rows).size > 1
    ? []
    : ['It answers the same for three different images: its input may be scaled otherwise than assumed.'];
}
