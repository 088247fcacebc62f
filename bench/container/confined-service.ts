import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Makes the mounts of a container and ends in its program; the file explains each. */
const script = fileURLToPath(new URL('../../container/confine.sh', import.meta.url));

export interface ConfinedInput {
  /** The root of the image's files; mounted read-only. */
  readonly root: string;
  /** Folders of this machine by where the container has them, such as `/data`. */
  readonly volumes: Readonly<Record<string, string>>;
  /** User and group, as numbers. */
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDir: string;
  readonly words: readonly string[];
}

export interface ConfinedService {
  /** What it printed so far. */
  readonly output: () => string;
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Of the first process of the container, as this machine sees it. */
  pid(): Promise<number>;
  /** Sends SIGTERM as a container's runtime does: to its first process alone. */
  terminate(): Promise<void>;
  kill(): void;
}

/**
 * Runs a program of an image as a container's runtime would: mounts and processes of its own, a root that is read-only,
 * a user that is a number, no capability and no way to one. The network is this machine's.
 */
export function startConfined(input: ConfinedInput): ConfinedService {
  const volumes = Object.entries(input.volumes).map(([inside, outside]) => `${outside}:${inside}`);
  const environment = Object.entries(input.environment).map(([name, value]) => `${name}=${value}`);
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child', '--'],
      ...['/bin/sh', script, input.root, input.user, input.workingDir, volumes.join(' ')],
      ...environment,
      ...input.words,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '' } },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-20_000);
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const pid = () => firstProcessOf(child);
  return {
    output: () => printed,
    ended,
    pid,
    async terminate() {
      process.kill(await pid(), 'SIGTERM');
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

async function firstProcessOf(child: ChildProcess): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '');
    const [first] = children.trim().split(' ');
    if (first) return Number(first);
    await sleep(50);
  }
  throw new Error('the container has no process');
}
