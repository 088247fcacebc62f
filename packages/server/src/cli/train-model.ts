import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Job } from '../service/jobs/job.js';
import { type ReadableFormat, readableFormats } from '../training/datasets/formats/plan.js';
import { trainModelKind } from '../training/models/job-kinds.js';
import type { Model, ModelTask } from '../training/models/model.js';
import { asTrainingReport } from '../training/models/reports/training-report.js';
import type { CommandContext } from './context.js';
import { importPath, toDatasetId } from './import-path.js';
import type { Terminal } from './install-progress.js';
import { createJobView } from './job-view.js';
import { accountOption, tasks, toNumber } from './model-options.js';
import { toPrintable } from './printable.js';
import { seeJobThrough } from './see-job-through.js';
import { withStopSignal } from './stop-signal.js';
import { describeReport } from './training-view.js';
import { type Opened, withTraining } from './with-domain.js';

type OpenTraining = Opened<typeof withTraining>;

interface TrainCommandOptions {
  readonly account: string;
  readonly dataset?: string;
  readonly into?: string;
  readonly task?: ModelTask;
  readonly name?: string;
  readonly format?: ReadableFormat;
  readonly multiLabel?: boolean;
  readonly noneOfThese?: boolean;
  readonly secondLook: boolean;
  readonly seed: number;
  readonly activate: boolean;
}

/** `custom train`: from labelled images to a version that predicts; `custom cancel` ends it. */
export function addTrainCommands(custom: Command, context: CommandContext, terminal: Terminal): void {
  custom
    .command('train')
    .description(
      'train a model on labelled images, in the running service or, without one, in this command; Ctrl-C is safe',
    )
    .argument('[source]', 'a folder or zip of images, for example with one folder per class; or --dataset')
    .option(...accountOption)
    .option('--dataset <id>', 'number of an existing dataset, instead of a source')
    .option('--into <id>', 'number of an existing model, which gets a new version; a new model unless given')
    .addOption(
      new Option('--task <task>', 'task of a new dataset; classification unless given').choices(tasks),
    )
    .option('--name <name>', 'name of a new model and dataset; that of the source or dataset unless given')
    .addOption(new Option('--format <name>', 'format of the labels').choices(readableFormats))
    .option('--multi-label', 'images of a new dataset may have any number of classes')
    .option('--none-of-these', 'add a class for images that show none of the others')
    .option('--no-second-look', 'a detector is not to look again at its boxes: faster, with more false ones')
    .option('--seed <number>', 'seed; the same images and seed give the same model', parseSeed, 1)
    .option('--no-activate', 'keep the active version')
    .action((source: string | undefined, options: TrainCommandOptions) =>
      withTraining(context, options.account, (open) => train(open, source, options, context, terminal)),
    );

  custom
    .command('cancel')
    .description('cancel the training run of a model')
    .argument('<id>', 'its number')
    .option(...accountOption)
    .action((id: string, { account }: { account: string }) =>
      withTraining(context, account, async ({ customModels, jobs, accountId }) => {
        const { id: modelId } = await customModels.models.read(accountId, toNumber(id));
        const job = await jobs.latest(accountId, trainModelKind, String(modelId));
        if (job === null || job.endedAt !== null) throw new Error(`Model ${modelId} is not being trained`);
        const { endedAt } = await jobs.cancel(accountId, job.id);
        context.print(endedAt === null ? 'Cancelling; it ends soon' : 'Cancelled');
      }),
    );
}

async function train(
  open: OpenTraining,
  source: string | undefined,
  options: TrainCommandOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const { accountId, store, customModels, startRun } = open;
  const { into, name, seed, activate: isActivated, noneOfThese = false, secondLook } = options;
  if ((source === undefined) === (options.dataset === undefined)) {
    throw new Error('Give what to train on: a folder or zip, or --dataset and its number');
  }
  const known = into === undefined ? undefined : await customModels.models.read(accountId, toNumber(into));
  // Before an import that would then be for nothing.
  if (source !== undefined && !options.secondLook && (options.task ?? known?.task) !== 'object_detection') {
    throw new Error('--no-second-look is for detectors: name --task object_detection, or leave it out');
  }
  const dataset =
    source === undefined
      ? await store.datasets.read(accountId, toDatasetId(options.dataset ?? ''))
      : await importPath(
          open,
          source,
          {
            task: options.task ?? known?.task ?? 'classification',
            ...(name === undefined ? {} : { name }),
            ...(options.format === undefined ? {} : { format: options.format }),
            multiLabel: options.multiLabel ?? false,
          },
          context,
          terminal,
        );
  const model =
    known ??
    (await customModels.models.create(accountId, {
      name: name ?? dataset.name,
      description: '',
      task: dataset.task,
    }));
  try {
    const wanted = {
      datasetId: dataset.id,
      noneOfThese,
      ...(!secondLook && { secondLook }),
      seed,
      isActivated,
    };
    const jobId = await startRun(accountId, model.id, wanted);
    await reportEnd(open, model, await follow(open, jobId, context, terminal), context);
  } catch (error) {
    if (known === undefined) await removeIfEmpty(open, model);
    const again = `custom train --dataset ${dataset.id}`;
    if (source !== undefined) context.note(`Dataset ${dataset.id} stays; to train on it: ${again}`);
    throw error;
  }
}

function follow(
  { database, jobs, trainModel, accountId }: OpenTraining,
  jobId: string,
  context: CommandContext,
  terminal: Terminal,
): Promise<Job> {
  const view = createJobView(terminal, 'Training');
  return withStopSignal('stopped', (signal) =>
    seeJobThrough(
      {
        database,
        jobs,
        kind: trainModel,
        signal,
        onProgress: (job) => view.show(job),
        onFailure: (error) => context.note(error instanceof Error ? error.message : String(error)),
      },
      accountId,
      jobId,
    ),
  ).finally(() => view.close());
}

async function reportEnd(
  { customModels: { versions }, jobs, accountId }: OpenTraining,
  model: Model,
  { id }: Job,
  context: CommandContext,
): Promise<void> {
  const job = await jobs.read(accountId, id);
  if (job.endedAt === null) {
    context.print(
      `The service continues the training run of model ${model.id}; to end it: custom cancel ${model.id}`,
    );
    return;
  }
  if (job.state === 'cancelled') throw new Error('The training was cancelled; nothing was made');
  if (job.state === 'failed') throw new Error(job.error ?? 'The training failed');
  const { items } = await versions.list(accountId, model.id, { limit: 20, after: undefined });
  const made = items.find(({ jobId }) => jobId === id);
  if (!made) throw new Error('The version was deleted meanwhile');
  const report = asTrainingReport(await versions.report(accountId, model.id, made.number));
  for (const line of report === null ? [] : describeReport(report)) context.print(line);
  context.print(`Model ${model.id} "${toPrintable(model.name)}" has version ${made.number}`);
}

/** A model that was made for nothing is in the way of the next try; one that is in training goes on. */
async function removeIfEmpty({ customModels, jobs, accountId }: OpenTraining, { id }: Model): Promise<void> {
  const { version } = await customModels.models.read(accountId, id);
  const job = await jobs.latest(accountId, trainModelKind, String(id));
  const isInTraining = job !== null && job.endedAt === null;
  if (version === null && !isInTraining) await customModels.deletion.removeModel(accountId, id);
}

function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 0 to 999999999.');
  return Number(text);
}
