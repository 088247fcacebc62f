import type { FaceQuality } from '@lynceus/engine';
import { isDegraded } from './degraded.js';
import type { EnrolmentProblem } from './perception.js';

/** What is known of an image that is to be added to a person. */
export interface Examination {
  readonly quality: FaceQuality;
  /** In the image, as far as they count; the largest is taken. */
  readonly faces: number;
  /** Whether the perception has the very same image already. */
  readonly isKept: boolean;
  /** The nearest image of the same person: the cosine, and whether a search would take both for one person; undefined without one. */
  readonly own: { readonly cosine: number; readonly isMatch: boolean } | undefined;
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
  // The likeness of a degraded face says nothing of whose it is.
  const isClear = !isDegraded(quality);
  const findings: Finding[] = quality.problems.map((problem) => ({
    problem,
    advice: adviceOn(problem, quality),
  }));
  const add = (problem: EnrolmentProblem, applies: boolean, advice: string) => {
    if (applies) findings.push({ problem, advice });
  };
  add(
    'looks-like-another',
    isClear && other?.isMatch === true && other.cosine > (own?.cosine ?? -1),
    `the face looks more like ${other?.name}: check who it is`,
  );
  add(
    'unlike-own-images',
    isClear && own?.isMatch === false,
    'the face does not look like the other images of this person: check that all of them show one person',
  );
  add(
    'several-faces',
    faces > 1,
    `there are ${faces} faces and the largest was taken: crop the image to one`,
  );
  add('same-image', isKept, 'this very image was added before: another one teaches more');
  add(
    'nearly-the-same',
    !isKept && own !== undefined && own.cosine >= nearlyTheSameCosine,
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
    case 'covered':
      return 'the face is covered: use an image without a mask, sunglasses or a hand before the face';
    case 'turned-away':
      return 'the face is turned away: look towards the camera';
    case 'too-dark':
      return 'the face is too dark: give it more light';
    case 'too-bright':
      return 'the face is too bright: give it less light';
  }
}
