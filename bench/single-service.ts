import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import type { Service } from './running-service.js';

/** What runs the commands of the present version. */
export const presentBundle = new URL('../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;

/** For `node --input-type=module -e`: runs a command of the command line. */
export function commandScript(words: readonly string[], bundle = presentBundle): string {
  return `process.exitCode = await (await import('${bundle}')).runCommandLine(${JSON.stringify(words)})`;
}

/** The service with no model loaded before it is ready: each is loaded by the first call that needs it. */
export const withoutModels = new URL(
  '../../packages/server/dist/bundle/service-without-models.mjs',
  import.meta.url,
).href;

/**
 * @param onOutput hears what the service writes to stdout and stderr
 * @param bundle of another version, or `withoutModels`
 */
export async function startSingleService(
  settings: Readonly<Record<string, string>> = {},
  onOutput: (text: string) => void = () => undefined,
  attempts = 3,
  bundle = presentBundle,
): Promise<Service> {
  const serve = bundle === withoutModels ? `await import('${bundle}')` : commandScript(['serve'], bundle);
  const dataDir = await mkdtemp(join(tmpdir(), 'lynceus-bench-'));
  const { LYNCEUS_PORT: givenPort, LYNCEUS_PATH_PREFIX: prefix = '' } = settings;
  const [port, metricsPort] = [givenPort ?? (await freePort()), await freePort()];
  const key = `bench_${randomBytes(24).toString('base64url')}`;
  const child = spawn(process.execPath, [...ownPatience(), '--input-type=module', '-e', serve], {
    env: {
      ...process.env,
      LYNCEUS_PORT: String(port),
      LYNCEUS_METRICS_PORT: String(metricsPort),
      LYNCEUS_DATA_DIR: dataDir,
      LYNCEUS_FIRST_KEY: key,
      LYNCEUS_LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let resolveLink: (link: string) => void = () => undefined;
  const firstLink = new Promise<string>((resolve) => {
    resolveLink = resolve;
  });
  let recentOutput = '';
  let saysReady = false;
  const hear = (text: string): void => {
    onOutput(text);
    recentOutput = (recentOutput + text).slice(-4000);
    saysReady ||= recentOutput.includes('Lynceus is ready');
    const link = /\S+\/welcome#[\w-]+/.exec(recentOutput)?.[0];
    if (link !== undefined) resolveLink(link);
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
    hear(text);
  });
  const url = `http://127.0.0.1:${port}${prefix}`;
  const failure = await waitUntilReady(url, child, () => saysReady).then(
    () => null,
    (error: unknown) => error,
  );
  if (failure !== null) {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
    // Another program took a port between the look for a free one and its use.
    if (said.includes('is in use. Stop the other program') && attempts > 1 && givenPort === undefined) {
      return startSingleService(settings, onOutput, attempts - 1, bundle);
    }
    throw new Error(`${failure instanceof Error ? failure.message : failure}\n${said}`);
  }
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    key,
    dataDir: settings['LYNCEUS_DATA_DIR'] ?? dataDir,
    pid: child.pid ?? 0,
    firstLink,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await gone;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What the processes of tests are started with, so that V8 optimises less: benchmarks have nothing of the kind. */
function ownPatience(): readonly string[] {
  return process.execArgv.filter((option) => option.startsWith('--interrupt-budget='));
}

/** Another program's service may answer at this port by now: this one must say that it is ready as well. */
async function waitUntilReady(url: string, child: ChildProcess, saysReady: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt++) {
    if (child.exitCode !== null) throw new Error(`the service ended with exit code ${child.exitCode}`);
    if (saysReady() && (await fetch(`${url}/readyz`).catch(() => undefined))?.ok) return;
    await sleep(100);
  }
  throw new Error('the service was not ready within 300 s');
}
