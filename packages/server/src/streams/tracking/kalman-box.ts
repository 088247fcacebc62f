import type { Box, Point } from '@lynceus/engine';

/** One quantity with its speed: the means, and their variances and covariance. */
interface Axis {
  readonly value: number;
  readonly speed: number;
  readonly valueVariance: number;
  readonly covariance: number;
  readonly speedVariance: number;
}

/**
 * A box that moves, estimated from its detections: centre, aspect ratio (width through height) and height, each with its speed a
 * second. Of SORT (Bewley et al. 2016) in the form of DeepSORT (Wojke et al. 2017). Its 8x8 matrices never mix the four quantities,
 * so that each has a filter of its own.
 */
export interface BoxState {
  readonly x: Axis;
  readonly y: Axis;
  readonly aspect: Axis;
  readonly height: Axis;
}

/**
 * Standard deviations, those of positions and heights as a share of the height of the box. DeepSORT's are for a frame of 1/30 s; these
 * are for seconds, chosen by bench/tracking.
 */
const noise = {
  /** Of a detection. */
  measured: 0.05,
  measuredAspect: 0.1,
  /** Of the speed of an object that was seen once, per second. */
  startSpeed: 1.5,
  startAspectSpeed: 0.1,
  /** Of the change of the speed within one second. */
  acceleration: 0.8,
  aspectAcceleration: 0.05,
  /** Of the change of the value within one second, beside what the speed explains: postures, parts out of sight. */
  drift: 0.15,
  aspectDrift: 0.1,
} as const;

/** Within so long, an object that nobody sees loses two thirds of its speed: people stop and turn. */
const coastSeconds = 6;

const minSidePx = 1;

/** The state of a box that was seen once. */
export function startState(box: Box): BoxState {
  const { x, y, aspect, height } = measure(box);
  const place = (value: number) => startAxis(value, noise.measured * height, noise.startSpeed * height);
  return {
    x: place(x),
    y: place(y),
    aspect: startAxis(aspect, noise.measuredAspect, noise.startAspectSpeed),
    height: place(height),
  };
}

/** The state `seconds` later; the same state where that is 0 or less. */
export function predict(state: BoxState, seconds: number): BoxState {
  if (!(seconds > 0)) return state;
  const height = Math.max(state.height.value, minSidePx);
  const place = (axis: Axis) => moveAxis(axis, seconds, noise.drift * height, noise.acceleration * height);
  const moved = {
    x: place(state.x),
    y: place(state.y),
    aspect: moveAxis(state.aspect, seconds, noise.aspectDrift, noise.aspectAcceleration),
    height: place(state.height),
  };
  return isPlausible(moved) ? moved : { ...moved, aspect: rest(state.aspect), height: rest(state.height) };
}

/**
 * The state after a detection. One of another size than expected shows a part of the object, whose middle is not that of the whole: its
 * place counts as less certain by the difference (IDF1 is .01 better in scenes of people).
 */
export function correct(state: BoxState, box: Box): BoxState {
  const { x, y, aspect, height } = measure(box);
  const std = noise.measured * Math.max(state.height.value, height);
  const missingHeight = Math.abs(height - state.height.value);
  const missingWidth = Math.abs(aspect * height - state.aspect.value * state.height.value);
  const corrected = {
    x: correctAxis(state.x, x, Math.hypot(std, missingWidth)),
    y: correctAxis(state.y, y, Math.hypot(std, missingHeight)),
    aspect: correctAxis(state.aspect, aspect, noise.measuredAspect),
    height: correctAxis(state.height, height, Math.hypot(std, missingHeight)),
  };
  return isPlausible(corrected) ? corrected : startState(box);
}

export function boxOf({ x, y, aspect, height }: BoxState): Box {
  const halfHeight = Math.max(height.value, minSidePx) / 2;
  const halfWidth = Math.max(aspect.value * 2 * halfHeight, minSidePx) / 2;
  return {
    xMin: x.value - halfWidth,
    yMin: y.value - halfHeight,
    xMax: x.value + halfWidth,
    yMax: y.value + halfHeight,
  };
}

/** Pixels a second. */
export function velocityOf({ x, y }: BoxState): Point {
  return { x: x.speed, y: y.speed };
}

/** Standard deviation of the centre in pixels. */
export function positionStdPx({ x, y }: BoxState): number {
  return Math.sqrt((x.valueVariance + y.valueVariance) / 2);
}

/** The state when the camera has turned, so that everything is seen elsewhere. */
export function shiftState(state: BoxState, by: Point): BoxState {
  return {
    ...state,
    x: { ...state.x, value: state.x.value + by.x },
    y: { ...state.y, value: state.y.value + by.y },
  };
}

function measure({ xMin, yMin, xMax, yMax }: Box) {
  const width = Math.max(xMax - xMin, minSidePx);
  const height = Math.max(yMax - yMin, minSidePx);
  return { x: (xMin + xMax) / 2, y: (yMin + yMax) / 2, aspect: width / height, height };
}

function startAxis(value: number, std: number, speedStd: number): Axis {
  return { value, speed: 0, valueVariance: std ** 2, covariance: 0, speedVariance: speedStd ** 2 };
}

/**
 * Motion with a speed that dies away, the integrated process of Ornstein and Uhlenbeck: for times far below `coastSeconds` constant
 * velocity with white-noise acceleration (Bar-Shalom et al. 2001, 6.2). The speed gains a variance of `accelerationStd` squared a
 * second, the value one of `driftStd` squared besides.
 */
function moveAxis(axis: Axis, seconds: number, driftStd: number, accelerationStd: number): Axis {
  const kept = Math.exp(-seconds / coastSeconds);
  const way = coastSeconds * (1 - kept);
  const acceleration = accelerationStd ** 2;
  const gained = (coastSeconds / 2) * (1 - kept ** 2);
  const { valueVariance, covariance, speedVariance } = axis;
  return {
    value: axis.value + way * axis.speed,
    speed: kept * axis.speed,
    valueVariance:
      valueVariance +
      2 * way * covariance +
      way ** 2 * speedVariance +
      driftStd ** 2 * seconds +
      // Rounding takes this below 0 for times of a few nanoseconds.
      acceleration * coastSeconds ** 2 * Math.max(0, seconds - 2 * way + gained),
    covariance: kept * (covariance + way * speedVariance) + (acceleration * way ** 2) / 2,
    speedVariance: kept ** 2 * speedVariance + acceleration * gained,
  };
}

function correctAxis(axis: Axis, measured: number, std: number): Axis {
  const innovation = axis.valueVariance + std ** 2;
  const valueGain = axis.valueVariance / innovation;
  const speedGain = axis.covariance / innovation;
  const surprise = measured - axis.value;
  return {
    value: axis.value + valueGain * surprise,
    speed: axis.speed + speedGain * surprise,
    valueVariance: (1 - valueGain) * axis.valueVariance,
    covariance: (1 - valueGain) * axis.covariance,
    speedVariance: axis.speedVariance - speedGain * axis.covariance,
  };
}

/** A box whose sides are positive: extrapolated ones may not be. */
function isPlausible({ aspect, height }: BoxState): boolean {
  return aspect.value > 0 && height.value >= minSidePx;
}

function rest(axis: Axis): Axis {
  return { ...axis, speed: 0 };
}
