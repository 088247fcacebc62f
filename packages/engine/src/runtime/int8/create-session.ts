import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { MessageChannel } from 'node:worker_threads';
import { InferenceSession } from 'onnxruntime-node';
import { withExactProducts } from '../../onnx/int8/exact-products.js';
import type { Model, TensorProto } from '../../onnx/proto/model.js';
import type { Int8Arithmetic } from './int8-arithmetic.js';
import { probeInt8Arithmetic } from './probe-int8.js';
import { withoutDenormals } from './without-denormals.js';

export type { Int8Arithmetic };

/**
 * Opens a graph so that its 8-bit arithmetic is exact on this CPU, and fast with tiny numbers. Every session is created here.
 * @param model Bytes of an ONNX file, or its path.
 * @param arithmetic Result of the self-test; without it, the self-test is run.
 */
export async function createSession(
  model: Uint8Array | string,
  wanted: InferenceSession.SessionOptions,
  arithmetic?: Int8Arithmetic,
): Promise<InferenceSession> {
  const options = withoutDenormals(wanted);
  const isNative = (arithmetic ?? (await probeInt8Arithmetic())) === 'native';
  const session = isNative ? undefined : await openExact(model, options);
  if (session !== undefined) return session;
  return typeof model === 'string'
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options);
}

/**
 * Opens a model with exact products; undefined when it can be opened unchanged. Hundreds of megabytes of weights are
 * in memory once in addition to the input and the runtime's copy: they are changed in place, handed over from
 * there, and released as soon as the runtime has its own copy.
 */
async function openExact(
  model: Uint8Array | string,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession | undefined> {
  // Most models have only floats: their bytes are scanned as a stream.
  if (!(await mentionsIntegers(model))) return undefined;
  const file = typeof model === 'string' ? await readFile(model) : new Uint8Array(model);
  // Loaded when a graph is rewritten: a process whose CPU needs none of that starts without protobufjs.
  const { readModel, writeModel } = await import('../../onnx/proto/codec.js');
  const exact = withExactProducts(readModel(file), { canOverwrite: true });
  if (exact === undefined) return undefined;
  const head = writeModel(withWeightsIn(file, exact));
  try {
    return await InferenceSession.create(head, {
      ...options,
      externalData: [{ path: weightsPath, data: file }],
    });
  } finally {
    free(file);
  }
}

/** A placeholder name for data in memory: no file is read. */
const weightsPath = 'weights';
/** Shapes and other small constants are read while the graph is put together. */
const minWeightBytes = 4096;

/** The same model, in which large weights of `file` are references to their offsets. */
function withWeightsIn(file: Uint8Array, model: Model): Model {
  const named = (tensor: TensorProto): TensorProto => {
    const { rawData, ...rest } = tensor;
    if (rawData === undefined || rawData.length < minWeightBytes || rawData.buffer !== file.buffer) {
      return tensor;
    }
    const externalFile = {
      location: weightsPath,
      offset: rawData.byteOffset - file.byteOffset,
      length: rawData.length,
    };
    const externalData = Object.entries(externalFile).map(([key, value]) => ({ key, value: String(value) }));
    return { ...rest, dataLocation: externalLocation, externalData };
  };
  return { ...model, graph: { ...model.graph, initializer: (model.graph.initializer ?? []).map(named) } };
}

/** `TensorProto.DataLocation`. */
const externalLocation = 1;

/** Releases memory now: the collector delays memory outside its heap. */
function free({ buffer, byteLength }: Uint8Array): void {
  // Small ones share theirs.
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== byteLength) return;
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, [buffer]);
  port1.close();
  port2.close();
}

/** Substrings of the names of all operators that quantise or multiply integers. */
const names = ['uantize', 'QLinear', 'Integer', 'QGemm', 'QAttention'];
const longestName = Math.max(...names.map((name) => name.length));

async function mentionsIntegers(model: Uint8Array | string): Promise<boolean> {
  const isIn = (bytes: Buffer) => names.some((name) => bytes.includes(name));
  if (typeof model !== 'string') return isIn(Buffer.from(model.buffer, model.byteOffset, model.byteLength));
  let before = Buffer.alloc(0);
  for await (const chunk of createReadStream(model, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([before, chunk]);
    if (isIn(bytes)) return true;
    before = bytes.subarray(-longestName);
  }
  return false;
}
