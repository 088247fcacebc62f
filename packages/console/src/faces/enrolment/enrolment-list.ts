import type { EnrolledImage } from '@lynceus/client';

/** The state of an image that is added to a person. */
export type EnrolmentStep =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'adding' }
  | { readonly kind: 'answered'; readonly result: EnrolledImage }
  | { readonly kind: 'failed'; readonly error: Error };

export type ImageSource = File | { readonly url: string };

export interface Enrolment {
  readonly id: number;
  readonly source: ImageSource;
  readonly step: EnrolmentStep;
  /** Whether the image is to be added although its face cannot be told from others with certainty. */
  readonly acceptsProblems?: boolean;
}

type EnrolmentEvent =
  | { readonly kind: 'given'; readonly id: number; readonly source: ImageSource }
  | { readonly kind: 'stepped'; readonly id: number; readonly step: EnrolmentStep }
  /** A refused image is to be added all the same. */
  | { readonly kind: 'accepted'; readonly id: number }
  | { readonly kind: 'cleared' };

/** The list after an event. The newest image is first; finished images can be cleared. */
export function advanceEnrolments(list: readonly Enrolment[], event: EnrolmentEvent): readonly Enrolment[] {
  switch (event.kind) {
    case 'given':
      return [{ id: event.id, source: event.source, step: { kind: 'waiting' } }, ...list];
    case 'stepped':
      return list.map((one) => (one.id === event.id ? { ...one, step: event.step } : one));
    case 'accepted':
      return list.map((one) =>
        one.id === event.id ? { ...one, step: { kind: 'waiting' }, acceptsProblems: true } : one,
      );
    case 'cleared':
      return list.filter(({ step }) => step.kind === 'waiting' || step.kind === 'adding');
  }
}

interface EnrolmentCounts {
  readonly all: number;
  readonly settled: number;
  readonly added: number;
}

export function countEnrolments(list: readonly Enrolment[]): EnrolmentCounts {
  const settled = list.filter(({ step }) => step.kind === 'answered' || step.kind === 'failed');
  const added = settled.filter(({ step }) => step.kind === 'answered' && step.result.outcome === 'added');
  return { all: list.length, settled: settled.length, added: added.length };
}
