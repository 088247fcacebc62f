import type { ObjectLabel } from './detections.js';

/** What the looks at one object say of its class. */
export interface ClassVotes {
  readonly label: ObjectLabel;
  /** Sum of the scores by title. The order of the looks does not matter while they sum to less than `maxTotal`. */
  readonly weights: ReadonlyMap<string, number>;
}

/** So far must another class be ahead until it is the object's: two classes in turns leave the first. */
const minLead = 0.5;

/** Above this sum the oldest votes fade: twenty good looks of another class outweigh hours of the first. */
const maxTotal = 20;

interface Look {
  readonly label: ObjectLabel;
  /** 0 to 1. */
  readonly score: number;
}

/** The votes with those of one frame. */
export function addVotes(votes: ClassVotes, looks: readonly Look[]): ClassVotes {
  const weights = new Map(votes.weights);
  for (const { label, score } of looks) weights.set(label.title, (weights.get(label.title) ?? 0) + score);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total > maxTotal)
    for (const [title, weight] of weights) weights.set(title, (weight * maxTotal) / total);
  return { label: leader({ ...votes, weights }, looks), weights };
}

/** Only a class of this frame can overtake. */
function leader({ label, weights }: ClassVotes, looks: readonly Look[]): ObjectLabel {
  const weightOf = (other: ObjectLabel) => weights.get(other.title) ?? 0;
  return looks.reduce(
    (best, { label: other }) => (weightOf(other) >= weightOf(best) + minLead ? other : best),
    label,
  );
}
