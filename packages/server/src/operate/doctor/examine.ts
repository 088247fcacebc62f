import { type Catalog, defaultModelsDir } from '@lynceus/engine';
import { explainSettings } from '../../core/explain-settings.js';
import type { LoadedSettings } from '../../core/load-settings.js';
import { dataFolder } from '../../storage/data-folder.js';
import { databaseLocation } from '../../storage/open-storage.js';
import { examineDataFolder } from './data-folder.js';
import { examineDatabase } from './database.js';
import { type Finding, fine, reasonOf, wrong } from './finding.js';
import { examineMachine } from './machine.js';
import { examineModels } from './models.js';
import { examineOpenSignUp } from './open-sign-up.js';
import { examinePrograms } from './programs.js';
import { examineRunningService } from './running-service.js';

export interface Examination {
  readonly version: string;
  /** Settings that somebody made, with secrets masked. */
  readonly settings: readonly {
    readonly variable: string;
    readonly value: string;
    readonly source: string;
  }[];
  readonly findings: readonly Finding[];
}

interface ExamineDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly nowMs: number;
  /** Throws where they are wrong. */
  readonly loadSettings: () => LoadedSettings;
  readonly openCatalog: () => Promise<Catalog>;
}

/** Looks at the machine, the installation and the service that runs on it. Makes and changes nothing. */
export async function examine(deps: ExamineDeps): Promise<Examination> {
  const { env, version, nowMs } = deps;
  const machine = await examineMachine();
  let loaded: LoadedSettings;
  try {
    loaded = deps.loadSettings();
  } catch (error) {
    const findings = [
      ...machine,
      wrong('settings', reasonOf(error), 'correct them; lynceus config explains each'),
    ];
    return { version, settings: [], findings };
  }
  const { settings } = loaded;
  const folder = dataFolder(settings.dataDir);
  const modelsDir = settings.modelsDir || defaultModelsDir({ env, dataDir: settings.dataDir });
  const parts = [
    examinePrograms(settings),
    examineDataFolder(folder, settings),
    examineDatabase(databaseLocation(folder, settings), { nowMs, version }),
    deps.openCatalog().then((catalog) => examineModels(catalog, settings, modelsDir)),
    examineRunningService(settings),
  ].map((part) => part.catch((error: unknown) => [wrong('doctor', reasonOf(error))]));
  const changed = explainSettings(loaded)
    .filter(({ source }) => source !== 'default')
    .map(({ variable, value, source }) => ({
      ...{ variable, value: String(value) },
      source: source === variable ? 'environment' : source,
    }));
  return {
    version,
    settings: changed,
    findings: [
      ...machine,
      fine(
        'settings',
        changed.length === 0 ? 'all as by default' : `as by default, but for ${changed.length}`,
      ),
      ...examineOpenSignUp(settings),
      ...(await Promise.all(parts)).flat(),
    ],
  };
}
