import type { Mistake } from './classifier-report.js';
import { answersOf, type Scored, sameLabels } from './measure.js';

const maxMistakes = 50;

/** Images that were answered wrong, those first that were so most surely. @param ids In the order of the rows. */
export function findMistakes(scored: Scored, ids: readonly string[]): Mistake[] {
  const { data, columns } = scored.probabilities;
  return ids
    .flatMap((image, row): Mistake[] => {
      const shown = scored.shown[row] ?? [];
      const answered = answersOf(scored, row);
      if (sameLabels(shown, answered)) return [];
      const probabilities = [...data.subarray(row * columns, (row + 1) * columns)];
      const wrong = answered.filter((label) => !shown.includes(label));
      const missed = scored.link === 'sigmoid' ? shown.filter((label) => !answered.includes(label)) : [];
      const score = Math.max(
        ...wrong.map((label) => probabilities[label] ?? 0),
        ...missed.map((label) => 1 - (probabilities[label] ?? 0)),
      );
      return [{ image, shown: [...shown], answered, score, probabilities }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maxMistakes);
}
