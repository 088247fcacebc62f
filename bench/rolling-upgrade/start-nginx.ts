import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const deployedPath = new URL('../../../deploy/nginx.conf', import.meta.url);

export interface NginxPlace {
  /** For its files. */
  readonly dir: string;
  readonly port: number;
  /** Ports of the two replicas, on this machine. */
  readonly replicas: readonly [number, number];
}

/** deploy/nginx.conf, but for ports and folders. */
export function nginxConfig({ dir, port, replicas }: NginxPlace): string {
  const pairs: readonly (readonly [string, string])[] = [
    ['http-1:8080', `127.0.0.1:${replicas[0]}`],
    ['http-2:8080', `127.0.0.1:${replicas[1]}`],
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    ['/tmp/', `${dir}/`],
    ['/dev/stdout', `${dir}/access.log`],
    ['/dev/stderr', `${dir}/error.log`],
    // On a machine with many cores the state of the replicas is shared; here one process is enough.
    ['worker_processes auto', 'worker_processes 1'],
  ];
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return pairs.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/nginx.conf has no ${from}`);
      return text.replaceAll(from, to);
    },
    `${user}${readFileSync(deployedPath, 'utf8')}`,
  );
}

export interface RunningNginx {
  readonly url: string;
  /** How many requests the replica at a port has answered, by its log. */
  answeredBy(port: number): Promise<number>;
  stop(): Promise<void>;
}

export async function startNginx(place: NginxPlace): Promise<RunningNginx> {
  const { dir, port } = place;
  const path = join(dir, 'nginx.conf');
  await writeFile(path, nginxConfig(place));
  const words = ['-p', dir, '-e', join(dir, 'start.log'), '-g', 'daemon off;', '-c', path];
  const child = spawn('/usr/sbin/nginx', words, { stdio: 'ignore' });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  while (!(await accepts(port))) {
    if (child.exitCode !== null)
      throw new Error(`nginx did not start:\n${await readFile(join(dir, 'start.log'), 'utf8')}`);
    await sleep(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async answeredBy(replica) {
      const log = await readFile(join(dir, 'access.log'), 'utf8');
      // Of a request that was passed on twice, the last one answered.
      return log.split('\n').filter((line) => line.endsWith(`127.0.0.1:${replica}`)).length;
    },
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
