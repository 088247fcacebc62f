import { openCatalog } from '@lynceus/engine';
import { buildApp } from './app.js';
import { loadSettings } from './core/load-settings.js';
import { createLogger, standardLogStream } from './core/logger.js';
import { runService } from './start/run-service.js';

/** Run as a child of the tests: the whole service, but for models to predict with. */
const loaded = loadSettings({ env: process.env, cwd: process.cwd() });
const { settings } = loaded;
const stream = standardLogStream();
const logger = createLogger({ level: settings.logLevel, stream });
await runService({
  build: async () =>
    buildApp({ loaded, logger, models: await openCatalog({ modelsDir: settings.modelsDir }), warm: [] }),
  logger,
  flushLog: () => stream.flushSync(),
  print: (text) => process.stderr.write(`${text}\n`),
  drainDelayMs: settings.drainDelayMs,
  drainTimeoutMs: settings.drainTimeoutMs,
});
