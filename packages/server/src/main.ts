import { defaultModelsDir } from '@lynceus/engine';
import { buildApp } from './app.js';
import { ConfigError } from './config/config-error.js';
import { type LoadedSettings, loadSettings } from './config/load-settings.js';
import { explainFailure } from './start/explain-failure.js';
import { openInstalledModels, requireDefaultModels } from './start/models.js';
import { createLogger, standardLogStream } from './telemetry/logger.js';

export interface ServeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/**
 * Runs the service in this process until SIGTERM or SIGINT. Answers the exit code, and leaves it in `process.exitCode`:
 * 0 after an orderly stop, 1 when it could not start.
 */
export async function serve({ env = process.env, cwd = process.cwd() }: ServeOptions = {}): Promise<number> {
  const code = await run(env, cwd);
  process.exitCode = code;
  return code;
}

async function run(env: Readonly<Record<string, string | undefined>>, cwd: string): Promise<number> {
  let loaded: LoadedSettings;
  try {
    loaded = loadSettings({ env, cwd });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error.message);
    return 1;
  }

  const stream = standardLogStream();
  const logger = createLogger({ level: loaded.settings.logLevel, stream });
  const dieOfFault = (error: unknown) => {
    // The state of the process is unknown now; what was acknowledged is on disk.
    logger.fatal({ err: error }, 'a fault of the service; it ends');
    stream.flushSync();
    process.exit(1);
  };
  process.on('uncaughtException', dieOfFault);
  const stopAsked = waitForStopSignal();
  try {
    const models = openInstalledModels(
      loaded.settings.modelsDir || defaultModelsDir({ env, dataDir: loaded.settings.dataDir }),
    );
    const app = await buildApp({
      settings: loaded.settings,
      logger,
      models,
      warm: requireDefaultModels(models),
    });
    const stopped = stopAsked.promise.then(async (signal) => {
      logger.info({ signal }, 'stopping');
      await app.stop();
    });
    await app.start();
    if (!stopAsked.fired()) process.stderr.write(`${app.banner()}\n`);
    await stopped;
    logger.info('stopped');
    return 0;
  } catch (error) {
    logger.debug({ err: error }, 'could not start');
    complain(explainFailure(error));
    return 1;
  } finally {
    stream.flushSync();
    stopAsked.ignore();
    process.off('uncaughtException', dieOfFault);
  }
}

interface StopSignal {
  readonly promise: Promise<NodeJS.Signals>;
  fired(): boolean;
  ignore(): void;
}

/** The first signal asks for an orderly end, the second ends the process at once, which the database is made for. */
function waitForStopSignal(): StopSignal {
  let fired = false;
  let resolve: (signal: NodeJS.Signals) => void = () => {};
  const promise = new Promise<NodeJS.Signals>((resolvePromise) => {
    resolve = resolvePromise;
  });
  const onSignal = (signal: NodeJS.Signals) => {
    if (fired) process.exit(signal === 'SIGINT' ? 130 : 143);
    fired = true;
    resolve(signal);
  };
  const signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
  for (const signal of signals) process.on(signal, onSignal);
  return {
    promise,
    fired: () => fired,
    ignore() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

function complain(message: string): void {
  process.stderr.write(`lynceus: ${message}\n`);
}
