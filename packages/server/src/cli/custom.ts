import { constants, copyFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Model } from '../training/models/model.js';
import type { CommandContext } from './context.js';
import { formatBytes, type Terminal } from './install-progress.js';
import { accountOption, toNumber } from './model-options.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';
import { addTrainCommands } from './train-model.js';
import { addUploadCommand } from './upload-model.js';
import { type Opened, withModels } from './with-domain.js';

type OpenModels = Opened<typeof withModels>;

interface AccountOption {
  readonly account: string;
}
const numberArgument = ['<id>', 'its number'] as const;

/** `custom …`: models that customers made, without a way through HTTP. */
export function addCustomCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const custom = program
    .command('custom')
    .description("customers' models: train, upload, list, activate, export");

  custom
    .command('list')
    .description('list the models of an account with their active versions')
    .option(...accountOption)
    .action(({ account }: AccountOption) =>
      withModels(context, account, async ({ models, accountId }) => {
        const rows: string[][] = [];
        for await (const { id, uid, name, task, version, createdAt } of walkModels(models, accountId)) {
          rows.push([
            String(id),
            toPrintable(name),
            task,
            String(version ?? '-'),
            uid,
            formatTime(createdAt),
          ]);
        }
        context.print(formatTable(['ID', 'NAME', 'TASK', 'VERSION', 'UID', 'MADE'], rows));
      }),
    );

  addTrainCommands(custom, context, terminal);
  addUploadCommand(custom, context);
  addVersionCommands(custom, context);

  custom
    .command('remove')
    .description('delete a model with its versions; this cannot be undone')
    .argument(...numberArgument)
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withModels(context, account, async ({ deletion, accountId }) => {
        const { versions, bytes } = await deletion.removeModel(accountId, toNumber(id));
        context.print(`Deleted: ${versions} versions, ${formatBytes(bytes)}`);
      }),
    );
}

function addVersionCommands(custom: Command, context: CommandContext): void {
  custom
    .command('versions')
    .description('list the versions of a model; the active one has a star')
    .argument(...numberArgument)
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withModels(context, account, async ({ models, versions, accountId }) => {
        const { version } = await models.read(accountId, toNumber(id));
        const rows: string[][] = [];
        let after: number | undefined;
        for (;;) {
          const page = await versions.list(accountId, toNumber(id), { limit: 100, after });
          for (const { number, origin, bytes, createdAt } of page.items) {
            const star = number === version ? '*' : '';
            rows.push([`${number}${star}`, origin, formatBytes(bytes), formatTime(createdAt)]);
          }
          if (page.next === null) break;
          after = page.next;
        }
        context.print(formatTable(['VERSION', 'ORIGIN', 'SIZE', 'MADE'], rows));
      }),
    );

  custom
    .command('activate')
    .description('activate a version, from the next call on')
    .argument(...numberArgument)
    .argument('<version>', 'the number of the version')
    .option(...accountOption)
    .action((id: string, version: string, { account }: AccountOption) =>
      withModels(context, account, async ({ versions, accountId }) => {
        await versions.activate(accountId, toNumber(id), toNumber(version));
        context.print(`Version ${version} of model ${id} is active`);
      }),
    );

  custom
    .command('export')
    .description('write a model as one self-contained ONNX file')
    .argument(...numberArgument)
    .argument('<file>', 'path of the new file; must not exist yet')
    .addOption(new Option('--number <version>', 'number of the version; the active one unless given'))
    .option(...accountOption)
    .action((id: string, file: string, { account, number }: AccountOption & { number?: string }) =>
      withModels(context, account, async ({ models, versions, accountId }) => {
        const model = await models.read(accountId, toNumber(id));
        const wanted = number === undefined ? model.version : toNumber(number);
        if (wanted === null) throw new Error(`Model ${id} has no version yet`);
        const target = resolve(context.cwd, file);
        if (await stat(target).catch(() => undefined)) throw new Error(`${target} already exists`);
        const version = await versions.read(accountId, model.id, wanted);
        const { path, release } = await versions.hold(version);
        await copyFile(join(path, 'model.onnx'), target, constants.COPYFILE_EXCL).finally(release);
        context.print(`${basename(target)} holds version ${wanted} of "${toPrintable(model.name)}"`);
      }),
    );
}

async function* walkModels(models: OpenModels['models'], accountId: number): AsyncIterable<Model> {
  let after: number | undefined;
  for (;;) {
    const page = await models.list(accountId, { limit: 100, after });
    yield* page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
