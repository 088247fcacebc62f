import { pool } from '../../../graph/window.js';
import { ImportError } from '../../../import-error.js';
import type { NodeContext, Operator } from '../operator.js';
import { activate } from './activation.js';
import { readWindow } from './convolution.js';

/** Options: padding, stride w, stride h, filter width, filter height, activation. */
function pooling(name: string, kind: 'MaxPool' | 'AveragePool'): Operator {
  return {
    name,
    keepsRange: true,
    write({ builder, input, options }: NodeContext) {
      const [width, height] = [options?.integer(3, 0) ?? 0, options?.integer(4, 0) ?? 0];
      if (!(width >= 1 && height >= 1)) throw new ImportError(`a window of ${height}x${width}`);
      const result = pool(builder, kind, input(0), readWindow(options, [height, width]));
      return activate(builder, result, options?.byte(5, 0) ?? 0);
    },
  };
}

export const maxPool2d = pooling('MAX_POOL_2D', 'MaxPool');
export const averagePool2d = pooling('AVERAGE_POOL_2D', 'AveragePool');
