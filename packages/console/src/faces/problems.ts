import type { EnrolmentProblem } from '@lynceus/client';

/** What can be wrong with an image of a face, as docs/faces.md lists it. */
export const problems = [
  'too-small',
  'blurred',
  'turned-away',
  'too-dark',
  'too-bright',
  'several-faces',
  'same-image',
  'nearly-the-same',
  'looks-like-another',
] as const satisfies readonly EnrolmentProblem[];
