import { existsSync } from 'node:fs';
import { defaultModelsDir, openCatalog } from '@lynceus/engine';
import { buildApp } from '#server/app.js';
import { runCommandLine } from '#server/cli/main.js';
import { loadSettings } from '#server/core/load-settings.js';
import { createLogger, standardLogStream } from '#server/core/logger.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { untilTrue } from './kill/until.js';

// A process of Node.js takes longer to start than a service or a command in it: for what a start or a command does to data.

type Settings = Readonly<Record<string, string>>;

/** On a busy machine. */
const closedWithinMs = 30_000;

/** Runs a command of the command line; returns what it prints. */
export async function runCommandHere(words: readonly string[], settings: Settings): Promise<string> {
  const printed: string[] = [];
  const noted: string[] = [];
  const exitCode = await runCommandLine(words, {
    env: { ...process.env, ...settings },
    cwd: process.cwd(),
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  if (exitCode !== 0)
    throw new Error(`lynceus ${words.join(' ')}: exit code ${exitCode}\n${noted.join('\n')}`);
  return printed.join('\n').trim();
}

/** Starts the whole service, with no model loaded; rejects where it refuses to start. */
export async function startServiceHere(
  settings: Settings,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const env: Settings = { LYNCEUS_PORT: '0', LYNCEUS_LOG_LEVEL: 'error', ...settings };
  const loaded = loadSettings({ env, cwd: process.cwd() });
  const logger = createLogger({ level: loaded.settings.logLevel, stream: standardLogStream() });
  const { dataDir } = loaded.settings;
  const modelsDir = process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir });
  const app = await buildApp({ loaded, logger, models: await openCatalog({ modelsDir }), warm: [] });
  await app.start();
  const sharedMemory = `${dataFolder(dataDir).databasePath}-shm`;
  return {
    url: app.origin(),
    async stop() {
      await app.stop();
      // SQLite closes its files a moment after the database thread has ended: a copy of the folder would find one that goes meanwhile.
      await untilTrue(() => !existsSync(sharedMemory), closedWithinMs);
    },
  };
}
