import type { Face } from '@lynceus/engine';

/** Of the largest face, as a ratio of widths: a face below that is somebody far behind, or no face. */
const minRatio = 1 / 8;
/** What is smaller than this ratio, and less certain than this score, is a pattern that looks like a face rather than one. */
const minDoubtfulRatio = 1 / 2;
const minCertainScore = 0.9;

/**
 * The faces by which an image shows several people, the largest first. Beside the largest face one does not count that is tiny, or that
 * is smaller and doubtful: the largest is taken, and nobody would take the other for the person.
 * @param faces the largest first
 */
export function facesThatCount<Seen extends Pick<Face, 'score' | 'quality'>>(
  faces: readonly Seen[],
): readonly Seen[] {
  const [largest] = faces;
  return faces.filter((face) => {
    if (largest === undefined || face === largest) return true;
    const ratio = face.quality.sizePx / largest.quality.sizePx;
    return ratio >= minRatio && (ratio >= minDoubtfulRatio || face.score >= minCertainScore);
  });
}
