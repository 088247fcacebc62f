import { ImportError } from '../import-error.js';
import { describeModelProto } from './descriptor.js';
import type { Model } from './model.js';

const modelProto = describeModelProto();

/**
 * Reads an `.onnx` file. Bytes of tensors are views into `bytes` where possible. Fields that inference does not need
 * (training information, sparse initialisers) are left out.
 * @throws ImportError when the bytes are not an ONNX model.
 */
export function readModel(bytes: Uint8Array): Model {
  let fields: Partial<Model>;
  try {
    fields = modelProto.toObject(modelProto.decode(bytes), { longs: BigInt });
  } catch (error) {
    throw new ImportError(`not an ONNX model, or a damaged one: ${describe(error)}`, { cause: error });
  }
  const { graph } = fields;
  if (graph === undefined) throw new ImportError('not an ONNX model: it holds no graph');
  return { ...fields, graph };
}

/** Writes an `.onnx` file; at most 2 GiB, the limit of its format. */
export function writeModel(model: Model): Uint8Array {
  return modelProto.encode(modelProto.fromObject(model)).finish();
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
