import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../free-port.js';

/** A PostgreSQL server of its own in a temporary folder, gone with the process that started it. */
export interface Cluster {
  /** The address of one of its databases. */
  url(database: string): string;
  stop(how: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

const run = promisify(execFile);
const guardPath = fileURLToPath(new URL('../../postgres/guard.sh', import.meta.url));
const user = 'lynceus';

/** The folder of PostgreSQL's programs, the newest of several; null when there are none. */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return (
    folders.find((folder) => ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

export interface ClusterOptions {
  /** Whether it waits for the disk, as the server of an operator does; a test needs no more than that the process may die. */
  readonly isDurable?: boolean;
}

/** Makes a cluster and starts it, as a user without rights when we are root: PostgreSQL refuses to run as root. */
export async function startCluster(
  programs: string,
  { isDurable = false }: ClusterOptions = {},
): Promise<Cluster> {
  const as: RunAs = process.getuid?.() === 0 ? await unprivilegedUser() : {};
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-postgres-'));
  // As text: the user without rights may not reach the folder that the tests are in.
  const script = await readFile(guardPath, 'utf8');
  const guard = spawn('/bin/sh', ['-c', script, guardPath, programs, dir], {
    ...as,
    cwd: '/',
    // Out of reach of a Ctrl-C: it stops when our end of its input closes, however that comes about.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  guard.stdin.on('error', () => undefined);
  const send = talkTo(guard);
  const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
  const remove = async () => {
    guard.stdin.end();
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  try {
    if (as.uid !== undefined && as.gid !== undefined) await chown(dir, as.uid, as.gid);
    const password = 'p%40ss-of-the-tests';
    const passwordPath = join(dir, 'password');
    await writeFile(passwordPath, decodeURIComponent(password));
    await chmod(passwordPath, 0o644);
    const locale = await localeOf(programs);
    await run(
      join(programs, 'initdb'),
      [
        '-D',
        join(dir, 'data'),
        '-U',
        user,
        '-E',
        'UTF8',
        ...locale,
        '--no-sync',
        '--auth=scram-sha-256',
        `--pwfile=${passwordPath}`,
      ],
      { ...as, cwd: '/' },
    );
    const port = await freePort();
    await writeFile(join(dir, 'data', 'postgresql.conf'), configOf(dir, port) + (isDurable ? durable : ''), {
      flag: 'a',
    });
    await send('start');
    return {
      url: (database) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
      stop: (how) => send(`stop -m ${how}`),
      start: () => send('start'),
      remove,
    };
  } catch (error) {
    const log = await readFile(join(dir, 'log'), 'utf8').catch(() => '');
    await remove();
    throw new Error(`PostgreSQL did not start: ${error instanceof Error ? error.message : error}\n${log}`);
  }
}

/** Sends a line to the guard and waits until it says that it is done. */
function talkTo(guard: ChildProcessByStdio<Writable, Readable, null>): (words: string) => Promise<void> {
  const answers = createInterface(guard.stdout)[Symbol.asyncIterator]();
  return async (words) => {
    guard.stdin.write(`${words}\n`);
    const { value } = await answers.next();
    if (value !== 'done') throw new Error(`pg_ctl ${words} failed`);
  };
}

/** An order of text that is not that of its bytes, where the server has one: the service must not rest on either. */
async function localeOf(programs: string): Promise<readonly string[]> {
  const { stdout } = await run(join(programs, 'initdb'), ['--version']);
  const major = Number(/(\d+)/.exec(stdout)?.[1]);
  return major >= 15 ? ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'] : ['--locale=C'];
}

// The machine of a test does not lose power; and defaults that weaken promises are what some servers have.
function configOf(dir: string, port: number): string {
  return `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${dir}'
max_connections = 200
fsync = off
full_page_writes = off
synchronous_commit = off
default_transaction_isolation = 'serializable'
bytea_output = 'escape'
extra_float_digits = -3
`;
}

/** The later line counts. */
const durable = `
fsync = on
full_page_writes = on
shared_buffers = 512MB
max_wal_size = 4GB
`;

async function unprivilegedUser(): Promise<RunAs> {
  for (const name of ['postgres', 'nobody']) {
    const found = await Promise.all(['-u', '-g'].map((kind) => run('id', [kind, name]))).catch(() => null);
    const [uid, gid] = (found ?? []).map(({ stdout }) => Number(stdout));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody.');
}
