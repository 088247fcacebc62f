import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { writeModel } from '../onnx/proto/codec.js';
import { createSession } from '../runtime/int8/create-session.js';
import { beforeNet } from './before-net.js';
import { joinModels } from './join-models.js';
import type { Net } from './net.js';
import type { InputPlan } from './plan.js';
import { UploadRefused } from './upload-refused.js';

/** An output of the net for one image. */
export interface Observed {
  readonly name: string;
  readonly title: string;
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Runs the net as it is and returns its outputs, as floats. */
export async function observe(net: Net, input: InputPlan): Promise<Observed[]> {
  const builder = new GraphBuilder();
  net.outputs.forEach((_, index) => {
    const value = builder.input(`net_${index}`, 'float32', []);
    builder.output(`seen_${index}`, builder.node('Cast', [value], { to: 1 }, value));
  });
  const model = joinModels({
    before: beforeNet(net, input),
    net: net.model,
    after: builder.finish('after'),
    netInput: net.input.name,
    fed: net.constants.map(({ name }) => name),
    netOutputs: net.outputs.map(({ name }) => name),
    metadata: {},
  });
  const session = await openSession(writeModel(model));
  try {
    const outputs = await runSession(session, { image: imageTensor(input, 1) });
    return net.outputs.map(({ name, title }, index) => {
      const { data, dims } = outputs[`seen_${index}`] ?? {};
      if (!(data instanceof Float32Array) || dims === undefined)
        throw new UploadRefused(`the output ${name} does not hold numbers`);
      return { name, title, dims, data };
    });
  } finally {
    await session.release();
  }
}

/** One thread, nothing written to disk, no library of operators loaded. */
export async function openSession(model: Uint8Array): Promise<InferenceSession> {
  try {
    return await createSession(model, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      enableMemPattern: false,
      logSeverityLevel: 4,
    });
  } catch (error) {
    throw refusal('the runtime cannot load the model', error);
  }
}

export async function runSession(
  session: InferenceSession,
  feeds: Readonly<Record<string, Tensor>>,
): Promise<Readonly<Record<string, Tensor>>> {
  try {
    return await session.run(feeds);
  } catch (error) {
    throw refusal('the model fails when it is run', error);
  }
}

export function imageTensor({ width, height }: InputPlan, seed: number): Tensor {
  return new Tensor('uint8', drawImage(width, height, seed), [1, height, width, 3]);
}

function refusal(what: string, error: unknown): UploadRefused {
  const reason = error instanceof Error ? error.message : String(error);
  // The runtime's messages have paths of its own sources.
  const plain = reason.replace(/\S*\/onnxruntime\/\S*/g, '').replace(/\s+/g, ' ');
  return new UploadRefused(`${what}: ${plain.slice(0, 400)}`);
}

/**
 * An image to try a model with: a gradient, discs of many colours and some noise, so that neither shapes nor texture are
 * missing. RGB, row by row; the same for the same seed.
 */
function drawImage(width: number, height: number, seed: number): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  let state = seed * 2_654_435_761;
  const random = () => {
    // Xorshift (Marsaglia 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const discs = Array.from({ length: 6 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: (0.08 + 0.15 * random()) * Math.min(width, height),
    colour: [random() * 255, random() * 255, random() * 255],
  }));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const disc = discs.find((each) => Math.hypot(x - each.x, y - each.y) < each.radius);
      const ground = [(255 * x) / width, (255 * y) / height, 128];
      const noise = 16 * random();
      for (let channel = 0; channel < 3; channel++) {
        data[at + channel] = Math.min(255, ((disc?.colour ?? ground)[channel] ?? 0) + noise);
      }
    }
  }
  return data;
}
