/** What can be wrong with an image, a label or a whole dataset; docs/datasets.md tells each. */
export const datasetProblems = [
  'unreadable',
  'not-an-image',
  'too-large',
  'refused-file',
  'ignored-file',
  'dataset-full',
  'account-full',
  'no-space',
  'duplicate',
  'near-duplicate',
  'leakage',
  'tiny-box',
  'box-outside',
  'box-clipped',
  'box-scaled',
  'box-rotated',
  'box-swapped',
  'outline-to-box',
  'size-differs',
  'unclear',
  'encoding',
  'bad-label',
  'no-box',
  'repeated-label',
  'unknown-class',
  'too-many-labels',
  'labels-differ',
  'partly-labelled',
  'no-labels',
  'no-image',
  'few-images',
] as const;
export type DatasetProblem = (typeof datasetProblems)[number];

/** What a problem does: something is not taken, is taken changed, or is only to be known. */
export type FindingEffect = 'refused' | 'changed' | 'notice';

const changes: readonly DatasetProblem[] = [
  'box-clipped',
  'box-scaled',
  'box-rotated',
  'box-swapped',
  'outline-to-box',
];
const notices: readonly DatasetProblem[] = [
  ...(['duplicate', 'near-duplicate', 'leakage', 'labels-differ', 'repeated-label'] as const),
  ...(['unclear', 'encoding', 'partly-labelled', 'no-labels', 'few-images'] as const),
];

export function effectOf(problem: DatasetProblem): FindingEffect {
  if (changes.includes(problem)) return 'changed';
  return notices.includes(problem) ? 'notice' : 'refused';
}

export interface Finding {
  readonly problem: DatasetProblem;
  /** As it was called where it came from; null where no file is meant. */
  readonly file: string | null;
  readonly imageId: number | null;
  readonly message: string;
  /** How many labels are refused, changed or present because of it. Zero when it is about an image or a file. */
  readonly labels: number;
}

/** All findings of one problem. */
export interface FindingKind {
  readonly problem: DatasetProblem;
  readonly effect: FindingEffect;
  readonly findings: number;
  /** The sum of the labels of its findings. */
  readonly labels: number;
  /** The first three. */
  readonly examples: readonly Finding[];
}

export interface FindingsReport {
  /** Of every problem that was found, how often: of labels, their number. */
  readonly counts: Readonly<Partial<Record<DatasetProblem, number>>>;
  /** What is refused first, then what is changed. */
  readonly kinds: readonly FindingKind[];
  /** The first thousand. */
  readonly findings: readonly Finding[];
  /** How many there are beyond those. */
  readonly leftOut: number;
}

const maxFindings = 1000;
const maxMessage = 300;
const maxExamples = 3;
const effects: readonly FindingEffect[] = ['refused', 'changed', 'notice'];

/** Gathers findings; of a hundred thousand a thousand are kept, and all are counted. */
export type FindingsList = ReturnType<typeof createFindings>;

export function createFindings(onFinding: (finding: Finding) => void = () => undefined) {
  const counts: Partial<Record<DatasetProblem, number>> = {};
  const kinds = new Map<DatasetProblem, { findings: number; labels: number; examples: Finding[] }>();
  const findings: Finding[] = [];
  let all = 0;
  return {
    add(
      problem: DatasetProblem,
      message: string,
      { file = null, imageId = null, labels = 0 }: Partial<Pick<Finding, 'file' | 'imageId' | 'labels'>> = {},
    ) {
      counts[problem] = (counts[problem] ?? 0) + Math.max(1, labels);
      all += 1;
      const finding = { problem, file, imageId, message: message.slice(0, maxMessage), labels };
      onFinding(finding);
      const kind = kinds.get(problem) ?? { findings: 0, labels: 0, examples: [] };
      kinds.set(problem, kind);
      kind.findings += 1;
      kind.labels += labels;
      if (kind.examples.length < maxExamples) kind.examples.push(finding);
      if (findings.length < maxFindings) findings.push(finding);
    },
    report: (): FindingsReport => ({
      counts: { ...counts },
      kinds: [...kinds]
        .map(([problem, kind]) => ({ problem, effect: effectOf(problem), ...kind }))
        .sort((a, b) => effects.indexOf(a.effect) - effects.indexOf(b.effect)),
      findings: [...findings],
      leftOut: all - findings.length,
    }),
  };
}
