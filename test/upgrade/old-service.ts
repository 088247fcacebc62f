import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#bench/free-port.js';
import { type ApiCall, apiOf } from './api-call.js';

export interface OldService {
  readonly call: ApiCall;
  readonly url: string;
  readonly ftpPort: number;
  /** Ends it by SIGTERM. */
  stop(): Promise<void>;
}

const startTimeoutMs = 900_000;

/**
 * Starts the service of an earlier commit as its users did, by its own `scripts/start.mjs`, which also installs its models.
 * @param dir the clone in which it is built
 * @param settings for the environment; data folder and models folder among them
 */
export async function startOldService(
  dir: string,
  key: string,
  settings: Readonly<Record<string, string>>,
): Promise<OldService> {
  const [port, ftpPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(dir, 'scripts', 'start.mjs')], {
    cwd: dir,
    env: {
      ...process.env,
      LYNCEUS_PORT: String(port),
      LYNCEUS_FTP_PORT: String(ftpPort),
      LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
      LYNCEUS_DROP_SETTLE_MS: '0',
      LYNCEUS_FIRST_KEY: key,
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = recentOutput(child);
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const sinceMs = performance.now();
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    const isLate = performance.now() - sinceMs > startTimeoutMs;
    if (isLate) child.kill('SIGKILL');
    if (isLate || child.exitCode !== null)
      throw new Error(`The version in ${dir} did not become ready:\n${output()}`);
    await sleep(200);
  }
  return {
    call: apiOf(url, key),
    url,
    ftpPort,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      if (code !== 0) throw new Error(`SIGTERM ended the version in ${dir} with ${code}:\n${output()}`);
    },
  };
}

function recentOutput(child: ChildProcess): () => string {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-4000);
    });
  return () => printed;
}
