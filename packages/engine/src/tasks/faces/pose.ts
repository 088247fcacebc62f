import type { FivePoints } from './face.js';
import { meanOf } from './similarity.js';

export interface Pose {
  /** -90 to 90; positive where the face looks to the viewer's right. */
  readonly yawDeg: number;
  /** -90 to 90; positive where the face looks up. */
  readonly pitchDeg: number;
  /** -180 to 180; positive where the head is tilted clockwise as seen. */
  readonly rollDeg: number;
}

/**
 * The five points of a mean face that looks at the viewer, in units of the distance between the eyes: x to the
 * viewer's right, y down, z towards the viewer. Across and down it is the mean of the points that are usual for aligning
 * faces; the depths are rough means of adults, with the tip of the nose about 35 mm before the eyes (63 mm apart) and the
 * corners of the mouth about 8 mm.
 */
const meanFace = [
  { x: -0.5, y: -0.57, z: 0 },
  { x: 0.5, y: -0.57, z: 0 },
  { x: 0, y: 0, z: 0.55 },
  { x: -0.41, y: 0.58, z: 0.13 },
  { x: 0.41, y: 0.58, z: 0.13 },
] as const;

const depth = meanOf(meanFace.map(({ z }) => ({ x: z, y: 0 }))).x;
const height = meanOf(meanFace).y;
const model = meanFace.map(({ x, y, z }) => ({ x, y: y - height, z: z - depth }));

/**
 * Pose from five points by scaled orthographic projection: least squares for the two rows of the rotation, the third
 * their cross product (POS of DeMenthon and Davis, 1995, "Model-based object pose in 25 lines of code"). Good to about ten
 * degrees; faces of uncommon proportions seem to nod.
 */
export function estimatePose(points: FivePoints): Pose {
  const centre = meanOf(points);
  const rowX = rowFor(points.map(({ x }) => x - centre.x));
  const rowY = rowFor(points.map(({ y }) => y - centre.y));
  // Roll first, so that yaw and pitch are of the head and not of the camera.
  const roll = Math.atan2(rowY.x - rowX.y, rowX.x + rowY.y);
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const scale = (Math.hypot(rowX.x, rowX.y, rowX.z) + Math.hypot(rowY.x, rowY.y, rowY.z)) / 2;
  if (!(scale > 0)) return { yawDeg: 0, pitchDeg: 0, rollDeg: 0 };
  const aside = (cos * rowX.z + sin * rowY.z) / scale;
  const down = (cos * rowY.z - sin * rowX.z) / scale;
  return { yawDeg: arcSineDeg(aside), pitchDeg: arcSineDeg(-down), rollDeg: (roll * 180) / Math.PI };
}

/** The row r with the least squares of r . model - values; the model is symmetric, so x stands by itself. */
function rowFor(values: readonly number[]): { x: number; y: number; z: number } {
  let [xx, yy, yz, zz, xv, yv, zv] = [0, 0, 0, 0, 0, 0, 0];
  for (const [index, { x, y, z }] of model.entries()) {
    const value = values[index] ?? 0;
    xx += x * x;
    yy += y * y;
    yz += y * z;
    zz += z * z;
    xv += x * value;
    yv += y * value;
    zv += z * value;
  }
  const determinant = yy * zz - yz * yz;
  return { x: xv / xx, y: (yv * zz - zv * yz) / determinant, z: (zv * yy - yv * yz) / determinant };
}

function arcSineDeg(sine: number): number {
  return (Math.asin(Math.min(1, Math.max(-1, sine))) * 180) / Math.PI;
}
