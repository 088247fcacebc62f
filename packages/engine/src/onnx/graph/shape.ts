import { ImportError } from '../import-error.js';

/** NumPy's broadcasting. */
export function broadcastDims(all: readonly (readonly number[])[]): number[] {
  const rank = Math.max(0, ...all.map((dims) => dims.length));
  return Array.from({ length: rank }, (_, axis) => {
    let side = 1;
    for (const dims of all) {
      const own = dims[axis - rank + dims.length] ?? 1;
      if (own !== 1 && side !== 1 && own !== side) {
        throw new ImportError(`shapes ${all.map((each) => `[${each}]`).join(' and ')} do not broadcast`);
      }
      if (own !== 1) side = own;
    }
    return side;
  });
}

/** An axis counted from the front; `rank` is that of the tensor. */
export function axisFromFront(axis: number, rank: number): number {
  const front = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(front) || front < 0 || front >= rank) {
    throw new ImportError(`axis ${axis} does not exist in a tensor of ${rank} dims`);
  }
  return front;
}

/** A target shape with its one -1 resolved. */
export function resolveReshape(dims: readonly number[], target: readonly number[]): number[] {
  const count = dims.reduce((product, side) => product * side, 1);
  const known = target.reduce((product, side) => (side === -1 ? product : product * side), 1);
  const resolved = target.map((side) => (side === -1 ? count / known : side));
  const fits = resolved.every((side) => Number.isInteger(side) && side >= 0);
  if (!fits || resolved.reduce((product, side) => product * side, 1) !== count) {
    throw new ImportError(`a tensor of shape [${dims}] does not reshape to [${target}]`);
  }
  return resolved;
}

export type Padding =
  | { readonly kind: 'same' | 'valid' }
  | { readonly kind: 'explicit'; readonly pads: Pads };
/** Top, left, bottom, right, in elements. */
type Pads = readonly [number, number, number, number];

/** A sliding window as convolutions and pools have it; lengths in elements of the input. */
export interface Window {
  readonly kernel: readonly [height: number, width: number];
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
  readonly padding: Padding;
}

/** Height and width of a window's output over an input of `height` and `width`. */
export function windowedSize(window: Window, height: number, width: number): [number, number] {
  const side = (length: number, axis: 0 | 1): number => {
    const stride = window.strides[axis];
    const reach = (window.kernel[axis] - 1) * window.dilations[axis] + 1;
    const { padding } = window;
    if (padding.kind === 'same') return Math.ceil(length / stride);
    const padded = padding.kind === 'explicit' ? padding.pads[axis] + padding.pads[(axis + 2) as 2 | 3] : 0;
    return Math.floor((length + padded - reach) / stride) + 1;
  };
  const size: [number, number] = [side(height, 0), side(width, 1)];
  if (!size.every((length) => Number.isFinite(length) && length >= 1)) {
    throw new ImportError(`a window of ${window.kernel.join('x')} does not fit a map of ${height}x${width}`);
  }
  return size;
}
