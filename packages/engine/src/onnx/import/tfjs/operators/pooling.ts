import { pool } from '../../../graph/window.js';
import type { Operator } from '../operator.js';
import { heightWidth, readWindow } from './convolution.js';

export function pooling(kind: 'MaxPool' | 'AveragePool'): Operator {
  return (context) => {
    const kernel = heightWidth(context.attributes.integers('ksize'));
    return pool(context.builder, kind, context.input(0), { kernel, ...readWindow(context) });
  };
}
