/** Value of a function; its gradient is written into `gradient`. */
export type Objective = (at: Float64Array, gradient: Float64Array) => number;

interface MinimiseOptions {
  readonly maxIterations: number;
  /** Converged when no component of the gradient is larger. */
  readonly tolerance: number;
  readonly onIteration?: () => void;
}

/** A point at which the function is wanted. */
interface Wanted {
  readonly at: Float64Array;
  /** To be filled. */
  readonly gradient: Float64Array;
}

const memory = 8;
const sufficientDecrease = 1e-4;
const maxHalvings = 30;

/**
 * The minimum of a convex, smooth function: limited-memory BFGS (Liu and Nocedal, Mathematical Programming 45, 1989) with a
 * step that is halved until it descends enough (Armijo). Deterministic, and bounded by its iterations.
 * @param start The start; overwritten with the result.
 */
export function minimise(objective: Objective, start: Float64Array, options: MinimiseOptions): Float64Array {
  const search = descent(start, options);
  let step = search.next();
  while (!step.done) step = search.next(objective(step.value.at, step.value.gradient));
  return step.value;
}

/** The same of a function whose value has to be waited for. */
export async function minimiseAwaited(
  objective: (...wanted: Parameters<Objective>) => Promise<number>,
  start: Float64Array,
  options: MinimiseOptions,
): Promise<Float64Array> {
  const search = descent(start, options);
  let step = search.next();
  while (!step.done) step = search.next(await objective(step.value.at, step.value.gradient));
  return step.value;
}

/** Yields points, and takes the function's value at each. */
function* descent(start: Float64Array, options: MinimiseOptions): Generator<Wanted, Float64Array, number> {
  const size = start.length;
  const at = start;
  let gradient = new Float64Array(size);
  let nextGradient = new Float64Array(size);
  const direction = new Float64Array(size);
  const next = new Float64Array(size);
  const pairs: { step: Float64Array; change: Float64Array; curvature: number }[] = [];
  let value = yield { at, gradient };
  for (let iteration = 0; iteration < options.maxIterations; iteration++) {
    options.onIteration?.();
    if (largest(gradient) <= options.tolerance) break;
    descend(gradient, pairs, direction);
    const slope = dot(gradient, direction);
    if (!(slope < 0)) break;
    let length = pairs.length === 0 ? Math.min(1, 1 / largest(gradient)) : 1;
    let nextValue = Number.NaN;
    for (let halving = 0; halving < maxHalvings; halving++, length /= 2) {
      for (let i = 0; i < size; i++) next[i] = (at[i] ?? 0) + length * (direction[i] ?? 0);
      nextValue = yield { at: next, gradient: nextGradient };
      if (nextValue <= value + sufficientDecrease * length * slope) break;
    }
    if (!(nextValue < value)) break;
    const recycled = pairs.length === memory ? pairs.shift() : undefined;
    const step = recycled?.step ?? new Float64Array(size);
    const change = recycled?.change ?? new Float64Array(size);
    for (let i = 0; i < size; i++) {
      step[i] = (next[i] ?? 0) - (at[i] ?? 0);
      change[i] = (nextGradient[i] ?? 0) - (gradient[i] ?? 0);
    }
    const curvature = dot(step, change);
    if (curvature > 1e-14) pairs.push({ step, change, curvature });
    at.set(next);
    value = nextValue;
    [gradient, nextGradient] = [nextGradient, gradient];
  }
  return at;
}

/** The two-loop recursion: minus the inverse Hessian, approximated by the pairs, times the gradient. */
function descend(
  gradient: Float64Array,
  pairs: readonly { step: Float64Array; change: Float64Array; curvature: number }[],
  direction: Float64Array,
): void {
  for (let i = 0; i < direction.length; i++) direction[i] = -(gradient[i] ?? 0);
  const shares: number[] = [];
  for (const { step, change, curvature } of pairs.toReversed()) {
    const share = dot(step, direction) / curvature;
    shares.push(share);
    add(direction, -share, change);
  }
  const last = pairs.at(-1);
  if (last) {
    const scale = last.curvature / dot(last.change, last.change);
    for (let i = 0; i < direction.length; i++) direction[i] = (direction[i] ?? 0) * scale;
  }
  for (const { step, change, curvature } of pairs) {
    const share = shares.pop() ?? 0;
    add(direction, share - dot(change, direction) / curvature, step);
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function add(to: Float64Array, factor: number, what: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + factor * (what[i] ?? 0);
}

function largest(numbers: Float64Array): number {
  let most = 0;
  for (const number of numbers) most = Math.max(most, Math.abs(number));
  return most;
}
