import type { ElementType, TensorData } from './element-type.js';

/**
 * A tensor in the graph under construction. `dims` are those the source model means (images as height, width,
 * channels), for the input size it declares; where the size is free they are nominal.
 * -1 where they are known only at run time.
 */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly number[];
  /**
   * Memory order of the tensor: as `dims` say, or, for four dims [n,h,w,c], as n,c,h,w. ONNX's convolutions need
   * the latter, so values between them keep it, and a transpose is written only at the border between the two orders.
   */
  readonly storage: 'as-dims' | 'channels-first';
  /**
   * A pending factor; 1 when absent. It is deferred because a convolution takes it into its weights for
   * free. `GraphBuilder.node` writes the multiplication wherever a value is used without handling its factor.
   */
  readonly factor?: number;
  /** The elements of a constant; always stored as `dims` say. */
  readonly constant?: TensorData;
}

export function elementCount(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}
