import { setFlagsFromString } from 'node:v8';
import { defaultModelsDir, openCatalog } from '@lynceus/engine';
import { buildApp } from './app.js';
import { ConfigError } from './core/config-error.js';
import { type LoadedSettings, loadSettings, type SettingsInput } from './core/load-settings.js';
import { createLogger, standardLogStream } from './core/logger.js';
import { rolesOf } from './core/roles.js';
import { createBuiltinModels } from './service/builtin/builtin-models.js';
import { olderConversions, requireModels } from './start/models.js';
import { runService } from './start/run-service.js';
import { modelIdsOfRoles, recognises } from './start/work-of-roles.js';

interface ServeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What relative folders are relative to, and where `lynceus.json` is looked for. */
  readonly cwd?: string;
  /** The default of the setting `dataDir`, absolute; `data` in `cwd` unless given. */
  readonly defaultDataDir?: string;
}

/**
 * Runs the service in this process until SIGTERM or SIGINT. Answers the exit code, and leaves it in `process.exitCode`:
 * 0 after an orderly stop, 1 when it could not start.
 */
export async function serve({
  env = process.env,
  cwd = process.cwd(),
  ...defaults
}: ServeOptions = {}): Promise<number> {
  const code = await run({ env, cwd, ...defaults });
  process.exitCode = code;
  return code;
}

async function run(input: SettingsInput): Promise<number> {
  const { env } = input;
  // People read stderr; stdout is the log's, so that a collector finds nothing else there.
  const print = (text: string) => process.stderr.write(`${text}\n`);
  let loaded: LoadedSettings;
  try {
    loaded = loadSettings(input);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    print(`lynceus: ${error.message}`);
    return 1;
  }
  collectLessOften();
  const { settings } = loaded;
  const stream = standardLogStream();
  const logger = createLogger({ level: settings.logLevel, stream });
  return runService({
    async build() {
      const modelsDir = settings.modelsDir || defaultModelsDir({ env, dataDir: settings.dataDir });
      const models = await openCatalog({ modelsDir, env });
      for (const { warning } of models.leftOut()) logger.warn(warning);
      const needed = modelIdsOfRoles(settings, createBuiltinModels(models.list(), settings));
      const required = await requireModels(needed, models, modelsDir);
      for (const older of olderConversions(needed, models))
        logger.warn(older, 'an older conversion of a model is in use; `lynceus models install` replaces it');
      const warm = recognises(rolesOf(settings)) ? required : [];
      return buildApp({ loaded, logger, models, warm });
    },
    logger,
    flushLog: () => stream.flushSync(),
    print,
    drainDelayMs: settings.drainDelayMs,
    drainTimeoutMs: settings.drainTimeoutMs,
  });
}

/**
 * Bodies passing through make V8 run a full collection every few dozen requests over a heap of 30 MB in which little is
 * left to find. Letting the heap double first makes these rarer; letting it grow fivefold saved more CPU, but memory
 * then took tens of thousands of requests to settle.
 */
function collectLessOften(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
