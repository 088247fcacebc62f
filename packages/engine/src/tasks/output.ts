import { EngineError } from '../errors.js';
import type { LoadedModel, Tensor } from './task.js';

type Outputs = Readonly<Record<string, Tensor>>;

/** An f32 output by name; a model that breaks its family's contract is reported with its id. */
export function floatsOf(model: LoadedModel, outputs: Outputs, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (data instanceof Float32Array) return data;
  throw new EngineError('model-missing', `model ${model.ref.id} has no f32 output "${name}"`);
}

/** An int64 output by name. */
export function integersOf(model: LoadedModel, outputs: Outputs, name: string): BigInt64Array {
  const data = outputs[name]?.data;
  if (data instanceof BigInt64Array) return data;
  throw new EngineError('model-missing', `model ${model.ref.id} has no int64 output "${name}"`);
}
