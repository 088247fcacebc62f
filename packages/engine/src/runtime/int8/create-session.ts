import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { InferenceSession } from 'onnxruntime-node';
import { withExactProducts } from '../../onnx/int8/exact-products.js';
import { readModel, writeModel } from '../../onnx/proto/codec.js';
import type { Int8Arithmetic } from './int8-arithmetic.js';
import { probeInt8Arithmetic } from './probe-int8.js';

export type { Int8Arithmetic };

/**
 * Opens a graph so that its 8-bit arithmetic is exact on this CPU. Every session is made here.
 * @param model Bytes of an ONNX file, or its path.
 * @param arithmetic What the self-test found; without it, it is run.
 */
export async function createSession(
  model: Uint8Array | string,
  options: InferenceSession.SessionOptions,
  arithmetic?: Int8Arithmetic,
): Promise<InferenceSession> {
  const isNative = (arithmetic ?? (await probeInt8Arithmetic())) === 'native';
  const exact = isNative ? undefined : await exactBytes(model);
  if (exact !== undefined) return InferenceSession.create(exact, options);
  return typeof model === 'string'
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options);
}

/** The file with its products made exact; undefined when it may be opened as it is. */
async function exactBytes(model: Uint8Array | string): Promise<Uint8Array | undefined> {
  // Most models hold floats alone: their bytes are looked through, and not held.
  if (typeof model === 'string' && !(await mentionsIntegers(model))) return undefined;
  const exact = withExactProducts(readModel(typeof model === 'string' ? await readFile(model) : model));
  return exact && writeModel(exact);
}

/** Parts of the names of all operators that quantise or multiply integers. */
const names = ['uantize', 'QLinear', 'Integer', 'QGemm', 'QAttention'];
const longestName = Math.max(...names.map((name) => name.length));

async function mentionsIntegers(path: string): Promise<boolean> {
  let before = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([before, chunk]);
    if (names.some((name) => bytes.includes(name))) return true;
    before = bytes.subarray(-longestName);
  }
  return false;
}
