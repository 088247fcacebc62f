import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { defaultModelsDir } from '@lynceus/engine';
import type { Service } from './running-service.js';
import { sharedByReplicas, startReplicas } from './scale/replicas.js';
import { commandScript, presentBundle, startSingleService, withoutModels } from './single-service.js';

export type { Service } from './running-service.js';

/**
 * Runs a command of the command line beside a service; answers what it prints.
 * @param bundle of another version
 */
export async function runCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  bundle = presentBundle,
): Promise<string> {
  return runScript(commandScript(words, bundle), settings);
}

export interface MeasuredCommand {
  readonly stdout: string;
  readonly seconds: number;
  /** Most resident bytes of its process, without those below it. */
  readonly peakBytes: number;
}

/** The same, measured. */
export async function measureCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<MeasuredCommand> {
  const startedAt = performance.now();
  const printPeak = 'console.log(process.resourceUsage().maxRSS)';
  const lines = (await runScript(`${commandScript(words)}; ${printPeak}`, settings)).split('\n');
  return {
    stdout: lines.slice(0, -1).join('\n'),
    seconds: (performance.now() - startedAt) / 1000,
    peakBytes: Number(lines.at(-1)) * 1024,
  };
}

async function runScript(script: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...settings },
  });
  return stdout.trim();
}

/**
 * Where replicas are to be tested, two of them behind a balancer: `npm run test:replicas`.
 * @param onOutput hears what the service writes to stdout and stderr
 */
export function startService(
  settings: Readonly<Record<string, string>> = {},
  onOutput: (text: string) => void = () => undefined,
  attempts = 3,
): Promise<Service> {
  const shared = sharedByReplicas();
  return shared !== null && settings['LYNCEUS_DATABASE_URL'] === undefined
    ? startReplicas(shared, settings, onOutput)
    : startSingleService(settings, onOutput, attempts);
}

/** For benches and tests that use few models or none: a start takes a third of the processor time. */
export function startWithoutModels(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const { LYNCEUS_DATA_DIR: dataDir = 'data' } = settings;
  const modelsDir = process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir });
  const known = { LYNCEUS_MODELS_DIR: modelsDir, ...settings };
  return startSingleService(known, () => undefined, 3, withoutModels);
}
