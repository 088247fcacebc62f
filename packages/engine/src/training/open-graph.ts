import { Tensor } from 'onnxruntime-node';
import { createSession } from '../runtime/int8/create-session.js';
import { sessionOptions } from '../runtime/process/session-options.js';

type GraphFeed = { readonly data: Float32Array | Uint8Array; readonly dims: readonly number[] };

/** A graph in memory, run as inference processes run theirs. */
export interface OpenGraph {
  run(feeds: Readonly<Record<string, GraphFeed>>): Promise<Readonly<Record<string, Tensor>>>;
  close(): Promise<void>;
}

/** @param model Bytes of an ONNX file, or its path. */
export async function openGraph(model: Uint8Array | string): Promise<OpenGraph> {
  const session = await createSession(model, sessionOptions('cpu'));
  return {
    async run(feeds) {
      const inputs = Object.entries(feeds).map(([name, { data, dims }]) => [name, tensorOf(data, dims)]);
      return session.run(Object.fromEntries(inputs));
    },
    close: () => session.release(),
  };
}

/** An f32 output by name. */
export function floatsIn(outputs: Readonly<Record<string, Tensor>>, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (data instanceof Float32Array) return data;
  throw new Error(`the graph gives no f32 output "${name}"`);
}

function tensorOf(data: Float32Array | Uint8Array, dims: readonly number[]): Tensor {
  return data instanceof Float32Array ? new Tensor('float32', data, dims) : new Tensor('uint8', data, dims);
}
