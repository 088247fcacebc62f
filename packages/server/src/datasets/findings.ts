/** What can be wrong with an image, a label or a whole dataset; docs/datasets.md tells each. */
export const datasetProblems = [
  'unreadable',
  'not-an-image',
  'too-large',
  'refused-file',
  'dataset-full',
  'account-full',
  'no-space',
  'duplicate',
  'near-duplicate',
  'leakage',
  'tiny-box',
  'box-outside',
  'box-clipped',
  'bad-label',
  'unknown-class',
  'too-many-labels',
  'labels-differ',
  'no-labels',
  'no-image',
  'few-images',
] as const;
export type DatasetProblem = (typeof datasetProblems)[number];

export interface Finding {
  readonly problem: DatasetProblem;
  /** As it was called where it came from; null where no file is meant. */
  readonly file: string | null;
  readonly imageId: number | null;
  readonly message: string;
}

export interface FindingsReport {
  /** Of every problem that was found, how often. */
  readonly counts: Readonly<Partial<Record<DatasetProblem, number>>>;
  /** The first thousand. */
  readonly findings: readonly Finding[];
  /** How many there are beyond those. */
  readonly leftOut: number;
}

const maxFindings = 1000;
const maxMessage = 300;

/** Gathers findings; of a hundred thousand a thousand are kept, and all are counted. */
export interface FindingsList {
  add(problem: DatasetProblem, message: string, of?: Partial<Pick<Finding, 'file' | 'imageId'>>): void;
  report(): FindingsReport;
}

export function createFindings(): FindingsList {
  const counts: Partial<Record<DatasetProblem, number>> = {};
  const findings: Finding[] = [];
  let all = 0;
  return {
    add(problem, message, { file = null, imageId = null } = {}) {
      counts[problem] = (counts[problem] ?? 0) + 1;
      all += 1;
      if (findings.length >= maxFindings) return;
      findings.push({ problem, file, imageId, message: message.slice(0, maxMessage) });
    },
    report: () => ({ counts: { ...counts }, findings: [...findings], leftOut: all - findings.length }),
  };
}
