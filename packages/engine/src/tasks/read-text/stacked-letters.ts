import type { Strip } from './strip.js';
import type { TextRegion } from './text-regions.js';

/** A word whose letters stand one above the other, as on signs beside doors. */
export interface StackedWord {
  /** The whole word, upright; `letters` are its cells from top to bottom. */
  readonly region: TextRegion & { readonly letters: readonly Strip[] };
  /** The regions that it consists of: what to read where it turns out to be no word. */
  readonly members: readonly TextRegion[];
}

/** A letter's region is about as wide as high, and lies straight: the sine of its angle is at most this. */
const aspect = { min: 0.55, max: 1.8 } as const;
const maxSine = 0.15;
/** Letters of a word differ by this factor in size at most, and by this share of their width in position. */
const maxSizeRatio = 1.6;
const maxShift = 0.4;
/** Between the centres of two letters, in letter heights; of one letter to the next but two, since some are not found. */
const pitches = { min: 0.75, max: 1.7, maxSteps: 3, tolerance: 0.22 } as const;
const minMembers = 3;
const minFoundShare = 0.5;

/** Finds letters that stand one above the other with nothing beside them, and leaves all other regions as they are. */
export function findStackedWords(regions: readonly TextRegion[]): {
  readonly words: readonly StackedWord[];
  readonly others: readonly TextRegion[];
} {
  const letters = regions.filter(isLetter).sort((a, b) => a.strip.centre.y - b.strip.centre.y);
  const words: StackedWord[] = [];
  const used = new Set<TextRegion>();
  for (const first of letters) {
    if (used.has(first)) continue;
    const members = columnFrom(
      first,
      letters.filter((letter) => !used.has(letter)),
    );
    const word = members.length >= minMembers ? wordOf(members) : null;
    if (word === null || hasNeighbours(members, regions)) continue;
    for (const member of members) used.add(member);
    words.push(word);
  }
  return { words, others: regions.filter((region) => !used.has(region)) };
}

function isLetter({ strip }: TextRegion): boolean {
  const ratio = strip.width / strip.height;
  return ratio > aspect.min && ratio < aspect.max && Math.abs(Math.sin(2 * strip.angleRad)) < 2 * maxSine;
}

/** The size of a letter that lies in one of four directions. */
function sizeOf({ strip }: TextRegion): { width: number; height: number } {
  const stands = Math.abs(Math.sin(strip.angleRad)) > 0.5;
  return stands ? { width: strip.height, height: strip.width } : { width: strip.width, height: strip.height };
}

function columnFrom(first: TextRegion, letters: readonly TextRegion[]): TextRegion[] {
  const column = [first];
  let last = first;
  for (const next of letters) {
    const [a, b] = [sizeOf(last), sizeOf(next)];
    const ratio = a.height / b.height;
    const dy = next.strip.centre.y - last.strip.centre.y;
    const dx = Math.abs(next.strip.centre.x - last.strip.centre.x);
    const isNext =
      dy >= pitches.min * a.height &&
      dy <= pitches.max * pitches.maxSteps * a.height &&
      dx <= maxShift * Math.max(a.width, b.width) &&
      ratio < maxSizeRatio &&
      ratio > 1 / maxSizeRatio;
    if (!isNext) continue;
    column.push(next);
    last = next;
  }
  return column;
}

/** The word of a column with an even pitch, with the cells of letters that were not found; null for an uneven one. */
function wordOf(members: readonly TextRegion[]): StackedWord | null {
  const centres = members.map(({ strip }) => strip.centre);
  const distances = centres.slice(1).map(({ y }, at) => y - (centres[at]?.y ?? 0));
  const height = median(members.map((member) => sizeOf(member).height));
  const pitch = Math.min(...distances);
  if (pitch > pitches.max * height) return null;
  const steps = distances.map((distance) => Math.round(distance / pitch));
  const isEven = distances.every(
    (distance, at) => Math.abs(distance / pitch - (steps[at] ?? 0)) <= pitches.tolerance * (steps[at] ?? 1),
  );
  const cells = 1 + steps.reduce((sum, step) => sum + step, 0);
  if (!isEven || steps.some((step) => step > pitches.maxSteps) || members.length < minFoundShare * cells)
    return null;
  const width = 1.1 * Math.max(...members.map((member) => sizeOf(member).width));
  const cellHeight = Math.min(1.15 * height, 1.05 * pitch);
  const letters = centres.flatMap((centre, at): Strip[] => {
    const count = steps[at] ?? 1;
    const next = centres[at + 1] ?? centre;
    return Array.from({ length: count }, (_, step) => ({
      centre: {
        x: centre.x + ((next.x - centre.x) * step) / count,
        y: centre.y + ((next.y - centre.y) * step) / count,
      },
      width,
      height: cellHeight,
      angleRad: 0,
    }));
  });
  const [top = { x: 0, y: 0 }] = centres;
  const bottom = centres.at(-1) ?? top;
  const strip = {
    centre: { x: (top.x + bottom.x) / 2, y: (top.y + bottom.y) / 2 },
    width,
    height: bottom.y - top.y + height,
    angleRad: 0,
  };
  const score = members.reduce((sum, member) => sum + member.score, 0) / members.length;
  const seenHeightPx = median(members.map((member) => member.seenHeightPx));
  return { region: { strip, score, seenHeightPx, letters }, members };
}

/** Whether most letters have text beside them: a column of a table or a list, and no word. */
function hasNeighbours(members: readonly TextRegion[], regions: readonly TextRegion[]): boolean {
  const beside = members.filter((member) => {
    const { width, height } = sizeOf(member);
    return regions.some((other) => {
      if (members.includes(other)) return false;
      const dy = Math.abs(other.strip.centre.y - member.strip.centre.y);
      const gap = Math.abs(other.strip.centre.x - member.strip.centre.x) - width / 2 - spanOf(other) / 2;
      return dy < 0.5 * height && gap < 1.5 * width;
    });
  });
  return beside.length > members.length / 2;
}

/** How wide a region is along x. */
function spanOf({ strip }: TextRegion): number {
  return Math.abs(Math.cos(strip.angleRad)) * strip.width + Math.abs(Math.sin(strip.angleRad)) * strip.height;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
