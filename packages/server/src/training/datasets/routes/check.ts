import { type Static, Type } from 'typebox';
import { createFairSemaphore } from '../../../core/fair-semaphore.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly } from '../../../http/api/fields.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import { usualHeldOut } from '../assign-split.js';
import { type Finding as DomainFinding, datasetProblems, type FindingsReport } from '../findings.js';
import type { DatasetDeps } from './deps.js';
import { DatasetParams } from './fields.js';

const Problem = Type.Enum([...datasetProblems], {
  title: 'DatasetProblem',
  description: 'What can be wrong with an image, a label or a dataset; see docs/datasets.md',
});
const Finding = Type.Object(
  {
    problem: Problem,
    file: Type.Union([Type.String(), Type.Null()]),
    image_id: Type.Union([Type.Integer(), Type.Null()]),
    labels: Type.Integer({ description: 'labels that it is about; 0 when it is about an image or a file' }),
    message: Type.String({ description: 'in words that may change' }),
  },
  { title: 'DatasetFinding' },
);
const Kind = Type.Object(
  {
    problem: Problem,
    effect: Type.Enum(['refused', 'changed', 'notice'], {
      description: 'what it does: something is not taken, is taken changed, or is only to be known',
    }),
    findings: Type.Integer(),
    labels: Type.Integer({ description: 'labels that they are about' }),
    examples: Type.Array(Finding, { description: 'the first three' }),
  },
  { title: 'DatasetFindingKind' },
);
export const Findings = Type.Object(
  {
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'how often each problem was found: of labels, their number',
    }),
    kinds: Type.Array(Kind, { description: 'all findings by problem, what is refused first' }),
    findings: Type.Array(Finding, { description: 'the first thousand' }),
    left_out: Type.Integer({ description: 'findings beyond those' }),
  },
  { title: 'DatasetFindings', description: 'What is wrong with it' },
);
export const SplitCounts = Type.Object(
  {
    assigned: Type.Integer({ description: 'images that had no split before' }),
    train: Type.Integer(),
    held_out: Type.Integer(),
  },
  { title: 'DatasetSplitCounts', description: 'How the labelled images are split now' },
);
const tags = ['datasets'];
/** Datasets that are looked through at once, each of another account. */
const maxChecks = 2;

/** Whether a dataset is fit to train on, and what it is measured with. */
export function addCheckRoutes(app: ApiScope, deps: DatasetDeps): void {
  const { datasets: store } = deps;
  const withPermit = createFairSemaphore({
    permits: maxChecks,
    maxPerAccount: 1,
    maxWaiting: 1000,
    refusal: 'many datasets are being checked: try again shortly',
  });

  app.get('/datasets/:id/check', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'checkDataset',
      summary: 'What would make a training on the dataset worse, a finding an image',
      params: DatasetParams,
      response: { 200: Findings },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const dataset = await store.datasets.read(accountId, request.params.id);
      const signal = createRequestSignal(reply, deps);
      return withPermit({ accountId, signal }, async () =>
        toFindings(await store.check(accountId, dataset, signal)),
      );
    },
  });

  app.post('/datasets/:id/split', {
    config: { right: 'change', audit: ['datasets.split', 'dataset'] },
    schema: {
      tags,
      operationId: 'splitDataset',
      summary:
        'Holds out a share of each class to measure with, of the labelled images that have no split yet; the others keep theirs',
      params: DatasetParams,
      body: Type.Optional(
        exactly({
          held_out: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 0.9,
              default: usualHeldOut,
              description: 'a share from 0 to 0.9',
            }),
          ),
        }),
      ),
      response: { 200: SplitCounts },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const dataset = await store.datasets.read(accountId, request.params.id);
      const { held_out: share = usualHeldOut } = request.body ?? {};
      const signal = createRequestSignal(reply, deps);
      return withPermit({ accountId, signal }, async () => {
        const { assigned, train, heldOut } = await store.assignSplit(accountId, dataset, share, signal);
        return { assigned, train, held_out: heldOut };
      });
    },
  });
}

export function toFindings({ counts, kinds, findings, leftOut }: FindingsReport): Static<typeof Findings> {
  return {
    counts: { ...counts },
    kinds: kinds.map(({ examples, ...kind }) => ({ ...kind, examples: examples.map(toFinding) })),
    findings: findings.map(toFinding),
    left_out: leftOut,
  };
}

function toFinding({ problem, file, imageId, labels, message }: DomainFinding): Static<typeof Finding> {
  return { problem, file, image_id: imageId, labels, message };
}
