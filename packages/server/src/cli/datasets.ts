import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import type { Dataset } from '../training/datasets/dataset.js';
import { type FormatName, formatNames, readableFormats } from '../training/datasets/formats/plan.js';
import type { CommandContext } from './context.js';
import { type ImportPathOptions, importPath, printFindings, toDatasetId } from './import-path.js';
import type { Terminal } from './install-progress.js';
import { formatTable, formatTime } from './table.js';
import { type Opened, withDatasets } from './with-domain.js';

type OpenDatasets = Opened<typeof withDatasets>;

interface AccountOption {
  readonly account: string;
}

/** `datasets …`: labelled images, without a way through HTTP. */
export function addDatasetsCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const datasets = program.command('datasets').description('labelled images to train with');
  const accountOption = ['--account <name>', 'whose dataset it is', firstAccount] as const;
  const formatOption = (formats: readonly string[]) =>
    new Option('--format <name>', 'format of the labels').choices(formats);

  datasets
    .command('list')
    .description('list the datasets of an account with their sizes')
    .option(...accountOption)
    .action(({ account }: AccountOption) =>
      withDatasets(context, account, async ({ store, accountId }) => {
        const rows: string[][] = [];
        for await (const dataset of walkDatasets(store, accountId)) {
          const { images, labelled, classes } = await store.count(accountId, dataset);
          const { id, name, task, createdAt } = dataset;
          const counts = [images, labelled, classes.length].map(String);
          rows.push([String(id), name, task, ...counts, formatTime(createdAt)]);
        }
        context.print(formatTable(['ID', 'NAME', 'TASK', 'IMAGES', 'LABELLED', 'CLASSES', 'MADE'], rows));
      }),
    );

  datasets
    .command('import')
    .description('add the images of a zip or folder to a dataset, also while the service runs')
    .argument('<source>', 'a zip, or a folder')
    .option(...accountOption)
    .option('--into <id>', 'number of an existing dataset; a new one unless given')
    .addOption(
      new Option('--task <task>', 'task of a new dataset')
        .choices(['classification', 'object_detection'])
        .default('classification'),
    )
    .option('--name <name>', 'name of a new dataset; that of the file unless given')
    .option('--multi-label', 'images of a new dataset may have any number of classes')
    .addOption(formatOption(readableFormats))
    .option('--report <file>', 'a new file for all findings: CSV, or JSON lines as FILE.jsonl')
    .action((source: string, options: ImportPathOptions & AccountOption) =>
      withDatasets(context, options.account, async (open) => {
        await importPath(open, source, options, context, terminal);
      }),
    );

  datasets
    .command('export')
    .description('write a dataset into one zip in a format of other programs, also while the service runs')
    .argument('<id>', 'its number')
    .argument('<file>', 'path of the new file; must not exist yet')
    .option(...accountOption)
    .addOption(formatOption(formatNames).makeOptionMandatory())
    .action((id: string, file: string, { account, format }: AccountOption & { format: FormatName }) =>
      withDatasets(context, account, async ({ store, accountId }) => {
        const dataset = await store.datasets.read(accountId, toDatasetId(id));
        const target = resolve(context.cwd, file);
        if (await stat(target).catch(() => undefined)) throw new Error(`${target} already exists`);
        const unfinished = join(dirname(target), `.${basename(target)}.${process.pid}`);
        try {
          const zip = await store.exportDataset(accountId, dataset, format);
          await pipeline(zip, createWriteStream(unfinished, { flags: 'wx', flush: true }));
          await rename(unfinished, target);
        } finally {
          await rm(unfinished, { force: true });
        }
        context.print(`${file} holds "${dataset.name}" as ${format}`);
      }),
    );

  datasets
    .command('check')
    .description('report problems of a dataset that would make a training run worse')
    .argument('<id>', 'its number')
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withDatasets(context, account, async ({ store, accountId }) => {
        const dataset = await store.datasets.read(accountId, toDatasetId(id));
        printFindings(context, await store.check(accountId, dataset));
      }),
    );

  datasets
    .command('remove')
    .description('delete a dataset with its images; this cannot be undone')
    .argument('<id>', 'its number')
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withDatasets(context, account, async ({ store, accountId }) => {
        const { images, labels, classes } = await store.deletion.removeDataset(accountId, toDatasetId(id));
        context.print(`Deleted: ${images} images, ${labels} labels, ${classes} classes`);
      }),
    );
}

async function* walkDatasets({ datasets }: OpenDatasets['store'], accountId: number): AsyncIterable<Dataset> {
  let after: number | undefined;
  for (;;) {
    const page = await datasets.list(accountId, { limit: 100, after });
    yield* page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
