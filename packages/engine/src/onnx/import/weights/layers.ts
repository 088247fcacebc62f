import { mapElements } from '../../graph/fold.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Window } from '../../graph/shape.js';
import type { Value } from '../../graph/value.js';
import { convolve } from '../../graph/window.js';
import { ImportError } from '../../import-error.js';

/** Weights by their names in the manifest. */
export type Layers = ReadonlyMap<string, Value>;

/**
 * A convolution NAME/conv followed by a scale of each channel NAME/scale, as one: (w x + b) s + t = (s w) x + (s b + t).
 * Filters lie as [h,w,in,out].
 */
export function scaledConvolution(
  builder: GraphBuilder,
  layers: Layers,
  name: string,
  input: Value,
  window: Window,
): Value {
  const [height = 0, width = 0, channels = 0, out = 0] = layers.get(`${name}/conv/filters`)?.dims ?? [];
  if (height !== window.kernel[0] || width !== window.kernel[1])
    throw new ImportError(`the filters ${name} are ${height}x${width}, not ${window.kernel.join('x')}`);
  const filters = numbersOf(layers, `${name}/conv/filters`, height * width * channels * out);
  const [bias, factor, shift] = ['conv/bias', 'scale/weights', 'scale/biases'].map((part) =>
    numbersOf(layers, `${name}/${part}`, out),
  );
  const dims = [out, channels, height, width];
  const turned = mapElements(
    filters,
    dims,
    ([o = 0, i = 0, y = 0, x = 0]) => ((y * width + x) * channels + i) * out + o,
  );
  const perFilter = channels * height * width;
  const scaled = Float32Array.from<number | bigint>(
    turned,
    (weight, index) => Number(weight) * (factor?.[Math.floor(index / perFilter)] ?? 1),
  );
  const biases = Float32Array.from(bias ?? [], (each, o) => each * (factor?.[o] ?? 1) + (shift?.[o] ?? 0));
  const weights = builder.constant('float32', dims, scaled, name);
  return convolve(
    builder,
    input,
    weights,
    builder.constant('float32', [out], biases, `${name}/bias`),
    window,
    1,
  );
}

function numbersOf(layers: Layers, name: string, count: number): Float32Array {
  const { constant } = layers.get(name) ?? {};
  if (constant instanceof Float32Array && constant.length === count) return constant;
  throw new ImportError(`the weights ${name} are missing or have another shape`);
}
