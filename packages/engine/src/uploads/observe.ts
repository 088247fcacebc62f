import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { writeModel } from '../onnx/proto/codec.js';
import { createSession } from '../runtime/int8/create-session.js';
import { beforeNet } from './before-net.js';
import { type Drawing, drawImage, drawings } from './draw-image.js';
import { joinModels } from './join-models.js';
import type { Net, NetOutput } from './net.js';
import type { InputPlan } from './plan.js';
import { UploadRefused } from './upload-refused.js';

/** An output of the net for a drawn image. */
export interface Observed extends NetOutput {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** The outputs of the net as it is, as floats: a list for each drawn image. */
export async function observe(net: Net, input: InputPlan): Promise<Observed[][]> {
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
    const observations: Observed[][] = [];
    for (const drawing of drawings) {
      const outputs = await runSession(session, { image: imageTensor(input, drawing) });
      observations.push(
        net.outputs.map((output, index) => {
          const { data, dims } = outputs[`seen_${index}`] ?? {};
          if (!(data instanceof Float32Array) || dims === undefined)
            throw new UploadRefused(`the output ${output.name} does not hold numbers`);
          return { ...output, dims, data };
        }),
      );
    }
    return observations;
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

export function imageTensor({ width, height }: InputPlan, drawing: Drawing): Tensor {
  return new Tensor('uint8', drawImage(width, height, drawing), [1, height, width, 3]);
}

function refusal(what: string, error: unknown): UploadRefused {
  const reason = error instanceof Error ? error.message : String(error);
  // The runtime's messages have paths of its own sources.
  const plain = reason.replace(/\S*\/onnxruntime\/\S*/g, '').replace(/\s+/g, ' ');
  return new UploadRefused(`${what}: ${plain.slice(0, 400)}`);
}
