import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultModelsDir } from '@lynceus/engine';
import { freePort } from '../free-port.js';
import type { User } from './user.js';

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));

/** A service that a user started by the command of the package. */
export interface InstalledService {
  readonly url: string;
  /** What it printed for the user. */
  output(): string;
  /** Sends SIGTERM; answers the exit code, or the signal that ended it. */
  stop(): Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts it on a free port, with the models that this machine has, and waits until it is ready.
 * @param words the program and its words
 * @throws with what it printed, where it ends or is not ready within five minutes
 */
export async function startInstalled(
  user: User,
  [program = '', ...words]: readonly string[],
  cwd: string,
): Promise<InstalledService> {
  const port = await freePort();
  const child = spawn(program, words, {
    cwd,
    env: {
      ...user.env,
      LYNCEUS_PORT: String(port),
      LYNCEUS_LOG_LEVEL: 'warn',
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_MODELS_DIR:
        process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const ended = once(child, 'close').then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? null,
  );
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; !(await fetch(`${url}/readyz`).catch(() => undefined))?.ok; attempt++) {
    if (child.exitCode !== null || attempt === 3000) {
      child.kill('SIGKILL');
      throw new Error(`The service did not become ready:\n${printed}`);
    }
    await sleep(100);
  }
  return {
    url,
    output: () => printed,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Where the first key is until a command reads it. */
export function firstKeyOf({ home }: User): Promise<string> {
  return readFile(join(home, '.local/share/lynceus/first-key'), 'utf8').then((text) => text.trim());
}

export interface Found {
  readonly fileid: string;
  readonly titles: readonly string[];
}

/** Has the sample image recognised. */
export async function recogniseSample(url: string, key: string): Promise<Found> {
  const form = new FormData();
  form.set('image', new Blob([await readFile(samplePath)]), 'sample.jpg');
  const answer = await fetch(`${url}/predict/image?apikey=${key}`, { method: 'POST', body: form });
  const body: {
    readonly status: string;
    readonly fileid: string;
    readonly predictions: readonly { readonly class_title: string }[];
  } = JSON.parse(await answer.text());
  if (body.status !== 'ok')
    throw new Error(`The sample is answered ${answer.status}: ${JSON.stringify(body)}`);
  return { fileid: body.fileid, titles: body.predictions.map(({ class_title }) => class_title) };
}
