import { joinFolds, type Unseen, type ValidatedFold } from './cross-validate.js';
import { judgeScores } from './judge-scores.js';
import { type LookMaterial, lookAgainUnseen } from './look-again.js';
import { bestF1 } from './score-line.js';

/** Gain of the best F1 from which boxes are looked at again: it takes several times the time of a detection. */
const leastGain = 0.005;

interface SecondLookDecision {
  /** Undefined where boxes are not looked at again. */
  readonly used: LookMaterial | undefined;
  /** The cross-validated answers, after the second look where it is used. */
  readonly unseen: Unseen;
  /** The best F1 of the cross-validation, backgrounds included; undefined where a second look could not be tried. */
  readonly f1: { readonly f1With: number; readonly f1Without: number } | undefined;
}

/** Whether a second look raises the best F1 of the cross-validation. */
export async function decideSecondLook(
  folds: readonly ValidatedFold[],
  material: LookMaterial | undefined,
): Promise<SecondLookDecision> {
  const first = joinFolds(folds);
  const looked = material && folds.length > 0 ? await lookAgainUnseen(folds, material) : undefined;
  if (!looked) return { used: undefined, unseen: first, f1: undefined };
  const f1Without = bestF1(judgeScores(first));
  const f1With = bestF1(judgeScores(looked));
  const isUsed = f1With >= f1Without + leastGain;
  return {
    used: isUsed ? material : undefined,
    unseen: isUsed ? looked : first,
    f1: { f1With, f1Without },
  };
}
