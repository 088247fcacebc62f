import type { Interval } from '../../accuracy/bootstrap.js';

/** The exact 95 % interval of a share (Clopper and Pearson 1934), by bisection. */
export function exactInterval(hits: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const low = hits === 0 ? 0 : bisect((share) => 1 - atMost(hits - 1, trials, share) < 0.025);
  const high = hits === trials ? 1 : bisect((share) => atMost(hits, trials, share) > 0.025);
  return { low, high };
}

/** The share, 0 to 1, up to which a condition holds. */
function bisect(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Probability of at most so many hits. */
function atMost(hits: number, trials: number, share: number): number {
  if (share <= 0) return 1;
  if (share >= 1) return hits >= trials ? 1 : 0;
  let [sum, logTerm] = [0, trials * Math.log1p(-share)];
  for (let hit = 0; hit <= hits; hit += 1) {
    sum += Math.exp(logTerm);
    logTerm += Math.log((trials - hit) / (hit + 1)) + Math.log(share / (1 - share));
  }
  return Math.min(1, sum);
}
