import { integersIn } from '../../../graph/fold.js';
import { axisFromFront } from '../../../graph/shape.js';
import { asDims, channelsFirstAxis } from '../../../graph/storage.js';
import type { Operator } from '../operator.js';

/** Mean, Max, Min, Prod over some axes; the mean over a whole map is ONNX's global pool, which is faster. */
export function reduction(op: 'ReduceMean' | 'ReduceMax' | 'ReduceMin' | 'ReduceProd'): Operator {
  return ({ builder, input, attributes }) => {
    const value = input(0);
    const rank = value.dims.length;
    const axes = integersIn(input(1), 'the axes').map((axis) => axisFromFront(axis, rank));
    const keep = attributes.flag('keep_dims', false);
    const dims = value.dims.map((side, axis) => (axes.includes(axis) ? 1 : side));
    const kept = keep ? dims : dims.filter((_, axis) => !axes.includes(axis));
    if (axes.length === 0) return value;
    if (value.storage === 'channels-first' && keep) {
      const stored = axes.map((axis) => channelsFirstAxis[axis] ?? axis).sort();
      const wholeMap = op === 'ReduceMean' && stored.join() === '2,3';
      const result = { type: value.type, dims: kept, storage: value.storage };
      if (wholeMap) {
        const { factor = 1, ...plain } = value;
        return { ...builder.node('GlobalAveragePool', [plain], {}, result), factor };
      }
      return builder.node(op, [value], { axes: stored, keepdims: 1 }, result);
    }
    const attribute = { axes, keepdims: keep ? 1 : 0 };
    return builder.node(op, [asDims(builder, value)], attribute, { type: value.type, dims: kept });
  };
}
