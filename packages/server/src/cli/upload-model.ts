import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { readImportRecord } from '@lynceus/engine';
import { type Command, Option } from 'commander';
import { readImportOptions } from '../training/models/import-options.js';
import type { ModelTask } from '../training/models/model.js';
import type { CommandContext } from './context.js';
import { accountOption, tasks, toNumber } from './model-options.js';
import { toPrintable } from './printable.js';
import { withStopSignal } from './stop-signal.js';
import { type Opened, withModels } from './with-domain.js';

type OpenModels = Opened<typeof withModels>;

interface UploadOptions {
  readonly account: string;
  readonly into?: string;
  readonly task: ModelTask;
  readonly name?: string;
  readonly options?: string;
  readonly activate: boolean;
}

/** `custom upload`: a ready model as a version. */
export function addUploadCommand(custom: Command, context: CommandContext): void {
  custom
    .command('upload')
    .description(
      'test a model that was trained elsewhere and add it as a version, also while the service runs',
    )
    .argument(
      '<files...>',
      'an ONNX or TFLite file, a TF.js model.json with its shards, or a zip; labels beside it',
    )
    .option(...accountOption)
    .option('--into <id>', 'number of an existing model; a new one unless given')
    .addOption(new Option('--task <task>', 'task of a new model').choices(tasks).default('classification'))
    .option('--name <name>', 'name of a new model; that of the file unless given')
    .option('--options <json>', 'what the files do not contain, such as {"labels":["cat","dog"]}')
    .option('--no-activate', 'keep the active version')
    .action((files: readonly string[], options: UploadOptions) =>
      withModels(context, options.account, (open) => uploadModel(open, files, options, context)),
    );
}

async function uploadModel(
  { models, deletion, uploadVersion, versions, accountId }: OpenModels,
  names: readonly string[],
  { into, task, name, options: text, activate }: UploadOptions,
  context: CommandContext,
): Promise<void> {
  const options = readImportOptions(text);
  const files = names.map((each) => ({ name: basename(each), path: resolve(context.cwd, each) }));
  for (const { path } of files) {
    if (!(await stat(path).catch(() => undefined))?.isFile()) throw new Error(`There is no file ${path}`);
  }
  const [first] = files;
  const title = name ?? (first ? basename(first.name, extname(first.name)) : '');
  const model =
    into === undefined
      ? await models.create(accountId, { name: title, description: '', task })
      : await models.read(accountId, toNumber(into));
  try {
    const made = await withStopSignal('Stopped; nothing was added.', (signal) =>
      uploadVersion.add(accountId, { modelId: model.id, files, options, isActivated: activate, signal }),
    );
    const labels = made.labels.slice(0, 10).map((label) => toPrintable(label.title));
    context.note(`labels: ${labels.join(', ')}${made.labels.length > 10 ? ', …' : ''}`);
    const { path, release } = await versions.hold(made);
    const { notes } = await readImportRecord(path).finally(release);
    for (const note of notes) context.note(toPrintable(note));
    context.print(`Model ${model.id} "${toPrintable(model.name)}" has version ${made.number}`);
  } catch (error) {
    // A model that was made for nothing is in the way of the next try.
    if (into === undefined) await deletion.removeModel(accountId, model.id);
    throw error;
  }
}
