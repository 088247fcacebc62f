/** Value and gradient of a function at a point; the gradient is written into `gradient`. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

const memory = 8;
/** Relative improvement below which nothing more is to be gained. */
const tolerance = 1e-4;

/**
 * Minimises a smooth convex function by limited-memory BFGS with backtracking (Nocedal and Wright, Numerical
 * Optimization, 2006, algorithms 7.4 and 3.1). Deterministic.
 * @param start Overwritten with the minimum found.
 */
export function minimise(objective: Objective, start: Float64Array, maxSteps: number): Float64Array {
  const size = start.length;
  let gradient = new Float64Array(size);
  let value = objective(start, gradient);
  const steps: { readonly move: Float64Array; readonly change: Float64Array; readonly curvature: number }[] =
    [];
  for (let step = 0; step < maxSteps; step++) {
    const direction = descend(gradient, steps);
    const slope = dot(direction, gradient);
    if (!(slope < 0)) break;
    const next = new Float64Array(size);
    const nextGradient = new Float64Array(size);
    let length = 1;
    let nextValue = Number.POSITIVE_INFINITY;
    for (; length > 1e-8; length /= 2) {
      for (let index = 0; index < size; index++)
        next[index] = (start[index] ?? 0) + length * (direction[index] ?? 0);
      nextValue = objective(next, nextGradient);
      if (nextValue <= value + 1e-4 * length * slope) break;
    }
    if (!(nextValue < value)) break;
    const move = next.map((number, index) => number - (start[index] ?? 0));
    const change = nextGradient.map((number, index) => number - (gradient[index] ?? 0));
    const curvature = dot(move, change);
    if (curvature > 1e-12) steps.push({ move, change, curvature });
    if (steps.length > memory) steps.shift();
    const gained = value - nextValue;
    start.set(next);
    gradient = nextGradient;
    value = nextValue;
    if (gained < tolerance * Math.max(1, Math.abs(value))) break;
  }
  return start;
}

function descend(
  gradient: Float64Array,
  steps: readonly {
    readonly move: Float64Array;
    readonly change: Float64Array;
    readonly curvature: number;
  }[],
): Float64Array {
  const direction = gradient.map((number) => -number);
  const shares: number[] = [];
  for (const { move, change, curvature } of steps.toReversed()) {
    const share = dot(move, direction) / curvature;
    shares.push(share);
    addScaled(direction, change, -share);
  }
  const last = steps.at(-1);
  const scale = last
    ? last.curvature / dot(last.change, last.change)
    : 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)));
  for (let index = 0; index < direction.length; index++) direction[index] = (direction[index] ?? 0) * scale;
  for (const { move, change, curvature } of steps) {
    const share = shares.pop() ?? 0;
    addScaled(direction, move, share - dot(change, direction) / curvature);
  }
  return direction;
}

function addScaled(to: Float64Array, from: Float64Array, factor: number): void {
  for (let index = 0; index < to.length; index++) to[index] = (to[index] ?? 0) + factor * (from[index] ?? 0);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
