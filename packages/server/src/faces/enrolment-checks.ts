import type { FaceQuality } from '@lynceus/engine';
import type { EnrolmentProblem } from './perception.js';

/** What is known of an image that is to be added to a person. */
export interface Examination {
  readonly quality: FaceQuality;
  /** In the image; the largest is taken. */
  readonly faces: number;
  /** Whether the perception has the very same image already. */
  readonly isKept: boolean;
  /** Cosine to the nearest image of the same person; undefined without one. */
  readonly own: number | undefined;
  /** The most similar other person: the cosine, the name, and whether they would be taken for this face. */
  readonly other: { readonly cosine: number; readonly name: string; readonly isMatch: boolean } | undefined;
}

export interface Finding {
  readonly problem: EnrolmentProblem;
  /** What to mend, in a sentence without a stop. */
  readonly advice: string;
}

/** Two photographs of one moment: at .98 nothing differs but compression, size or a few frames. */
const nearlyTheSameCosine = 0.98;

/** Why an image is unsuitable for recognising a person, the worst first; empty for a good one. */
export function examine({ quality, faces, isKept, own, other }: Examination): readonly Finding[] {
  const findings: Finding[] = quality.problems.map((problem) => ({
    problem,
    advice: adviceOn(problem, quality),
  }));
  const add = (problem: EnrolmentProblem, applies: boolean, advice: string) => {
    if (applies) findings.push({ problem, advice });
  };
  add(
    'looks-like-another',
    other?.isMatch === true && other.cosine > (own ?? -1),
    `the face looks more like ${other?.name}: check who it is`,
  );
  add(
    'several-faces',
    faces > 1,
    `there are ${faces} faces and the largest was taken: crop the image to one`,
  );
  add('same-image', isKept, 'this very image was added before: another one teaches more');
  add(
    'nearly-the-same',
    !isKept && own !== undefined && own >= nearlyTheSameCosine,
    'nearly the same as another image of this person: a different one teaches more',
  );
  return findings;
}

function adviceOn(problem: FaceQuality['problems'][number], quality: FaceQuality): string {
  switch (problem) {
    case 'too-small':
      return `the face is only ${Math.round(quality.sizePx)} pixels wide: use a larger image or come nearer`;
    case 'landmarks-implausible':
      return 'eyes, nose and mouth were not found with certainty: use an image in which nothing covers them';
    case 'blurred':
      return 'the face is blurred: hold still, focus, or give more light';
    case 'turned-away':
      return 'the face is turned away: look towards the camera';
    case 'too-dark':
      return 'the face is too dark: give it more light';
    case 'too-bright':
      return 'the face is too bright: give it less light';
  }
}
