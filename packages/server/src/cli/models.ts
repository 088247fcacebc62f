import {
  askInt8Arithmetic,
  type Catalog,
  CatalogError,
  type CatalogModel,
  type ModelRef,
} from '@lynceus/engine';
import type { Command } from 'commander';
import { settingsThatSelect } from '../service/builtin/builtin-models.js';
import { addAddingCommand } from './add-model.js';
import { type CommandContext, settingsOf } from './context.js';
import { describeModel } from './describe-model.js';
import { formatBytes, type Terminal } from './install-progress.js';
import { neededIds, openModels } from './open-models.js';
import { toPrintable } from './printable.js';
import { formatTable } from './table.js';
import { whileWatched } from './while-watched.js';

interface InstallFlags {
  readonly repair?: boolean;
  readonly keepOlder?: boolean;
}

/** `models …`: which there are, bringing them, checking them, carrying them to a machine without a network. */
export function addModelsCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const models = program.command('models').description('models: list, install, verify, export, import');
  addListing(models, context);
  addInstalling(models, context, terminal);
  addAddingCommand(models, context, () => openModels(context), terminal);
  addCarrying(models, context, terminal);
}

function addListing(models: Command, context: CommandContext): void {
  models
    .command('list')
    .description('list the models of the catalogue')
    .option('--json', 'answer a list of objects')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = (await openModels(context)).list();
      if (json) {
        const shown = list.map(({ entry, origin, installed }) => ({
          ...entry,
          origin,
          installed: installed?.version ?? null,
        }));
        context.print(JSON.stringify(shown));
        return;
      }
      const rows = list.map(({ entry, origin, files, installed, manifest }) => [
        entry.id,
        entry.family,
        entry.default ? 'default' : origin,
        shownVersion(manifest.version, installed),
        formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0)),
        toPrintable(entry.licence.stated),
      ]);
      context.print(formatTable(['ID', 'FAMILY', 'SET', 'INSTALLED', 'SIZE', 'LICENCE'], rows));
      context.note('Details of a model and its licence: models show ID');
    });

  models
    .command('show')
    .description('show the details of a model')
    .argument('<id>')
    .action(async (id: string) => {
      const catalog = await openModels(context);
      const model = await modelOf(catalog, id);
      const { recipe } = model.entry;
      const isInt8 = 'weights' in recipe && recipe.weights === 'int8';
      context.print(
        describeModel(model, catalog.installed(id), isInt8 ? await askInt8Arithmetic() : 'float'),
      );
    });

  models
    .command('verify')
    .description('read every byte of installed models')
    .argument('[ids...]', 'ids of models; all installed ones unless given')
    .action(async (ids: string[]) => {
      const catalog = await openModels(context);
      const installed = catalog.list().filter((model) => model.installed);
      const reports = await catalog.verify(ids.length > 0 ? ids : installed.map(({ entry }) => entry.id));
      const rows = reports.map(({ id, state, problems }) => [id, state, problems.join(', ')]);
      context.print(formatTable(['ID', 'STATE', 'PROBLEMS'], rows));
      const bad = reports.filter(({ state }) => state !== 'ok').map(({ id }) => id);
      if (bad.length > 0) throw new Error(`Repair with: models install --repair ${bad.join(' ')}`);
    });
}

function addInstalling(models: Command, context: CommandContext, terminal: Terminal): void {
  models
    .command('install')
    .description('download, verify and convert models that are missing')
    .argument('[ids...]', 'ids of models; those that the settings need unless given')
    .option('--repair', 'also replace damaged ones')
    .option('--keep-older', 'where a model cannot be converted again, succeed with its older conversion')
    .action(async (ids: string[], { repair = false, keepOlder = false }: InstallFlags) => {
      const catalog = await openModels(context);
      const wanted = ids.length > 0 ? ids : neededIds(catalog, context);
      try {
        await installWithProgress(catalog, wanted, terminal, repair);
      } catch (error) {
        if (!(error instanceof CatalogError) || !keepOlder) throw error;
        if (!wanted.every((id) => catalog.installed(id))) throw error;
        context.note(
          `${error.message}\nOlder conversions of these models stay in use. Replace them with: models install`,
        );
      }
    });

  models
    .command('remove')
    .description('remove a model and its sources')
    .argument('<id>')
    .action(async (id: string) => {
      const { settings } = settingsOf(context);
      const catalog = await openModels(context);
      const isLeftOut = catalog.leftOut().some((bad) => bad.id === id && bad.isRemovable);
      const modelId = isLeftOut ? undefined : (await modelOf(catalog, id)).entry.modelId;
      const selecting = modelId === undefined ? [] : settingsThatSelect({ uid: id, id: modelId }, settings);
      if (selecting.length > 0) {
        throw new Error(`${id} is selected by ${selecting.join(', ')}: select another model first`);
      }
      const removed = await catalog.remove(id);
      context.print(removed ? `Removed: ${id}.` : `${id} was not installed.`);
      if (removed && !isLeftOut)
        context.note('Services that run answer requests for it with an error from now on.');
    });
}

function addCarrying(models: Command, context: CommandContext, terminal: Terminal): void {
  models
    .command('export')
    .description('export models into one file, for a machine without a network')
    .argument('<file>')
    .argument('[ids...]', 'ids of models; those that the settings need unless given')
    .action(async (file: string, ids: string[]) => {
      const catalog = await openModels(context);
      const wanted = ids.length > 0 ? ids : neededIds(catalog, context);
      await whileWatched(terminal, (options) => catalog.exportBundle(wanted, file, options));
      context.print(`${file} holds ${wanted.join(', ')}. There: models import ${file}`);
    });

  models
    .command('import')
    .description('install from a file of models export, a package tarball or a single source file')
    .argument('<file>')
    .action(async (file: string) => {
      const catalog = await openModels(context);
      const ids = await catalog.importFile(file);
      if (ids.length === 0) {
        context.print(`${file} is imported; its model needs more files: import those too.`);
        return;
      }
      await installWithProgress(catalog, ids, terminal, false);
      context.print(`Installed: ${ids.join(', ')}.`);
    });
}

/** A dash for what is not installed. */
function shownVersion(current: string, installed?: ModelRef): string {
  if (installed === undefined) return '-';
  return installed.version === current ? current : `${installed.version} (older)`;
}

async function modelOf(catalog: Catalog, id: string): Promise<CatalogModel> {
  const found = catalog.list().find(({ entry }) => entry.id === id);
  if (found) return found;
  const known = catalog.list().map(({ entry }) => entry.id);
  throw new Error(`There is no model "${id}" in the catalogue; there are ${known.join(', ')}`);
}

async function installWithProgress(
  catalog: Catalog,
  ids: readonly string[],
  terminal: Terminal,
  repair: boolean,
): Promise<void> {
  await whileWatched(terminal, (options) => catalog.install(ids, { ...options, repair }));
}
