import type { ElementType, TensorData } from './element-type.js';

/**
 * A tensor in the graph under construction. `dims` are those the source model means (images as height, width,
 * channels), for the input size it declares; where the size is left free they are nominal. -1 where only a run
 * tells.
 */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly number[];
  /**
   * How the tensor lies in memory: as `dims` say, or, for four dims [n,h,w,c], as n,c,h,w. ONNX's convolutions want
   * the latter, so what flows between them keeps it, and a transpose is written only where the two worlds meet.
   */
  readonly storage: 'as-dims' | 'channels-first';
  /**
   * A factor still to be multiplied in; 1 when absent. It waits because a convolution takes it into its weights for
   * nothing. `GraphBuilder.node` writes the multiplication wherever a value is used without minding its factor.
   */
  readonly factor?: number;
  /** The elements, when they are known now; always stored as `dims` say. */
  readonly constant?: TensorData;
}

export function elementCount(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}
