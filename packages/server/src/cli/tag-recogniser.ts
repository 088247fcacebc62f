import { existsSync } from 'node:fs';
import type { Settings } from '../core/settings.js';
import type { DropSettings } from '../drops/drop-settings.js';
import type { NameFaces } from '../recognition/name-faces.js';
import { readTextLanguages } from '../recognition/text-languages.js';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import type { Services } from '../services.js';
import { createRecogniseFile, type RecogniseFile } from '../tagging/recognise-file.js';
import { type CommandContext, folderOf, settingsOf } from './context.js';
import { findPerception, perceptionAdvice } from './find-perception.js';
import { openModels, requireInstalled } from './open-models.js';
import { openRunner, processesOf } from './open-runner.js';
import { findAccount, withServices } from './with-domain.js';

interface RecogniserChoice {
  readonly settings: DropSettings;
  /** By whose people faces are named. */
  readonly perception?: string;
  /** Whose perception and models these are. */
  readonly account: string;
}

/** Below the service's own processes, for which users wait: see setpriority(2). */
const niceness = 10;
const queuePerProcess = 4;

/**
 * Recognition in processes of the command's own. The database is opened only for a perception, or a model of an account: all else
 * works where no service was ever started.
 */
export async function withRecogniser<T>(
  context: CommandContext,
  choice: RecogniserChoice,
  work: (recognise: RecogniseFile) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const processes = processesOf(settings);
  const catalog = await openModels(context);
  const builtinModels = createBuiltinModels(catalog.list(), settings);
  const { modelReference } = choice.settings;
  const model = modelReference === null ? null : (builtinModels.find(modelReference.trim()) ?? null);
  const common = {
    installedModel: (id: string) => requireInstalled(catalog, id, context),
    faceChain: settings.faceChain,
    models: builtinModels.defaults.drops,
    usualLanguages: readTextLanguages(settings.textLanguages),
    maxPixels: settings.maxPixels,
  };
  if (choice.perception === undefined && (modelReference === null || model !== null)) {
    const runner = await openRunner(settings, { processes, queueMax: queuePerProcess * processes, niceness });
    try {
      return await work(createRecogniseFile({ ...common, runner, model, nameFaces: null }, choice.settings));
    } finally {
      await runner.close();
    }
  }
  requireDatabase(context, choice);
  return withServices(
    context,
    async (services, core) => {
      const accountId = await findAccount(core.database, choice.account);
      const chosen =
        modelReference === null || model !== null
          ? model
          : await (await services.models()).chooseModel(accountId, modelReference);
      const nameFaces = await findNaming(services, settings, accountId, choice);
      const deps = { ...common, runner: core.runner, model: chosen, nameFaces };
      return work(createRecogniseFile(deps, choice.settings));
    },
    { usesFiles: true, processes, niceness },
  );
}

/** Opening a database would make one where no service has started. */
function requireDatabase(context: CommandContext, { perception, settings }: RecogniserChoice): void {
  const { databaseUrl } = settingsOf(context).settings;
  const { dir, databasePath } = folderOf(context);
  if (databaseUrl !== '' || existsSync(databasePath)) return;
  const wanted =
    perception === undefined
      ? `${settings.modelReference} is not a built-in model, and there are no others`
      : 'There is no perception';
  const next = perception === undefined ? '' : `, then ${perceptionAdvice}`;
  throw new Error(
    `${wanted}: no service has started with the data folder ${dir}. Start it once with npm start${next}. If your service has another data folder: --data FOLDER`,
  );
}

async function findNaming(
  services: Services,
  { faceChain }: Settings,
  accountId: number,
  { perception: reference, settings }: RecogniserChoice,
): Promise<NameFaces | null> {
  if (reference === undefined) return null;
  if (settings.modelReference !== null || !settings.parts.includes('faces')) {
    throw new Error(
      '--perception names faces, which are not looked for: leave out --model, and add faces to --parts',
    );
  }
  const { faces, faceNaming } = await services.faces();
  const perception = await findPerception(faces.perceptions, accountId, reference);
  const nameFaces = await faceNaming(accountId, perception.id);
  if (nameFaces) return nameFaces;
  throw new Error(
    `The images of the perception "${perception.name}" are described by another model than LYNCEUS_FACE_CHAIN (${faceChain}) has; a running service embeds them again`,
  );
}
