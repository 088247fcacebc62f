import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import type { Rearrangement } from './constants.js';
import type { FlatTable } from './flat-table.js';
import type { TfliteTensor } from './tflite-model.js';

/** Input of a TFLite operator's writer. Values are floats, however the tensors are stored. */
export interface NodeContext {
  readonly builder: GraphBuilder;
  /** The node's `builtin_options`, by field number. */
  readonly options: FlatTable | undefined;
  readonly inputCount: number;
  /** The input value at `index`. @throws ImportError when there is none. */
  input(index: number): Value;
  /** The tensor at `index` as the file describes it. @throws ImportError when there is none. */
  tensor(index: number): TfliteTensor;
  /** Whether the node has an input at `index`. */
  has(index: number): boolean;
  /** The constant at `index` as floats, rearranged. */
  weights(index: number, layout: Rearrangement): Value;
  /** The first output. */
  readonly output: TfliteTensor;
  readonly outputCount: number;
}

export interface Operator {
  /** TFLite's name, for messages. */
  readonly name: string;
  /** True when the results cannot leave the range of the inputs, so that nothing needs limiting after it. */
  readonly keepsRange?: boolean;
  /** Writes the node and gives its output, or all of several. */
  write(context: NodeContext): Value | readonly Value[];
}
