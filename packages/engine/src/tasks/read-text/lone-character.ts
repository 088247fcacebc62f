import { type Strip, turnStrip } from './strip.js';
import type { TextLine } from './text-lines.js';

/** A character is at most so many times as wide as high, or as high as wide. */
const maxAspect = 2.5;

/**
 * Characters whose shape another one has too: capitals that are their small letter enlarged, the letter o and the digit, N, which is Z on its side, and those that are
 * one stroke. Words tell them apart by what is beside them.
 */
const sharedShapes = new Set('cCjJkKoO0pPsSuUvVwWxXyYzZiIl1|!¡N<>');

/** What a score is at most where two readings are as likely. */
const evenOdds = 0.5;

/**
 * The strip of what may be one character, upright in the image. Many characters are others when they are turned (W and M, u and n, 6 and 9, Z and N), and
 * nothing beside a lone one tells its direction. Null for what is too long.
 */
export function asUprightCharacter(strip: Strip): Strip | null {
  const aspect = strip.width / strip.height;
  if (aspect > maxAspect || aspect < 1 / maxAspect) return null;
  return turnStrip(strip, -Math.round(strip.angleRad / (Math.PI / 2)));
}

/**
 * The only line of an image: where it is one character that could as well be another one, its score says so.
 * @param isReadTwoWays whether it was another one at a second look
 */
export function withDoubtOfLone(lines: readonly TextLine[], isReadTwoWays = false): readonly TextLine[] {
  const [line] = lines;
  if (lines.length !== 1 || line === undefined || [...line.text].length !== 1) return lines;
  const isDoubtful = isReadTwoWays || sharedShapes.has(line.text) || isTurned(line);
  return isDoubtful ? [{ ...line, score: Math.min(line.score, evenOdds) }] : lines;
}

function isTurned({ polygon: [first, second] }: TextLine): boolean {
  const [x, y] = [second.x - first.x, second.y - first.y];
  return x < Math.abs(y);
}
