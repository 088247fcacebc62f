import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../free-port.js';

/** A PostgreSQL server of its own in a temporary folder, gone with the process that started it. */
export interface Cluster {
  /** The address of one of its databases. */
  url(database: string): string;
  stop(how: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** Another server that follows this one, with every commit acknowledged by both from here on. */
  addStandby(): Promise<Standby>;
  remove(): Promise<void>;
}

export interface Standby extends Cluster {
  /** It follows nobody from here on, and takes writes. */
  promote(): Promise<void>;
}

interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

const run = promisify(execFile);
const guardPath = fileURLToPath(new URL('../../postgres/guard.sh', import.meta.url));
const user = 'lynceus';
/** As an address has it. */
const password = 'p%40ss-of-the-tests';

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
  /** Of its processes, beside ours. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes a cluster and starts it, as a user without rights when we are root: PostgreSQL refuses to run as root. */
export function startCluster(
  programs: string,
  { isDurable = false, env = {} }: ClusterOptions = {},
): Promise<Cluster> {
  return start(programs, env, async ({ dir, as, port }) => {
    const passwordPath = join(dir, 'password');
    await writeFile(passwordPath, decodeURIComponent(password));
    await chmod(passwordPath, 0o644);
    const where = ['-D', join(dir, 'data'), '-U', user, '-E', 'UTF8', '--no-sync'];
    const access = ['--auth=scram-sha-256', `--pwfile=${passwordPath}`];
    const options = { ...as, cwd: '/' };
    await run(join(programs, 'initdb'), [...where, ...access, ...(await localeOf(programs))], options);
    return configOf(dir, port) + (isDurable ? durable : '');
  });
}

interface Place {
  readonly dir: string;
  readonly port: number;
  readonly as: RunAs;
}

/** @param fill makes the folder `data` in the folder of the cluster; answers what its settings end with */
async function start(
  programs: string,
  env: Readonly<Record<string, string>>,
  fill: (place: Place) => Promise<string>,
): Promise<Standby> {
  const as: RunAs = process.getuid?.() === 0 ? await unprivilegedUser() : {};
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-postgres-'));
  // As text: the user without rights may not reach the folder that the tests are in.
  const script = await readFile(guardPath, 'utf8');
  const guard = spawn('/bin/sh', ['-c', script, guardPath, programs, dir], {
    ...as,
    cwd: '/',
    env: { ...process.env, ...env },
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
    const port = await freePort();
    const settings = await fill({ dir, port, as });
    await writeFile(join(dir, 'data', 'postgresql.conf'), settings, { flag: 'a' });
    await send('start');
    const url = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
    return {
      url,
      stop: (how) => send(`stop -m ${how}`),
      start: () => send('start'),
      promote: () => send('promote'),
      addStandby: () => followInStep(url('postgres'), () => follow(programs, env, port)),
      remove,
    };
  } catch (error) {
    const log = await readFile(join(dir, 'log'), 'utf8').catch(() => '');
    await remove();
    throw new Error(`PostgreSQL did not start: ${error instanceof Error ? error.message : error}\n${log}`);
  }
}

/** A copy of the server of a port, which follows it. */
function follow(
  programs: string,
  env: Readonly<Record<string, string>>,
  leaderPort: number,
): Promise<Standby> {
  return start(programs, env, async ({ dir, port, as }) => {
    const leader = ['-h', '127.0.0.1', '-p', String(leaderPort), '-U', user];
    await run(
      join(programs, 'pg_basebackup'),
      [...leader, '-D', join(dir, 'data'), '-R', '--checkpoint=fast', '--no-sync'],
      { ...as, cwd: '/', env: { ...process.env, PGPASSWORD: decodeURIComponent(password) } },
    );
    return `port = ${port}\nunix_socket_directories = '${dir}'\n`;
  });
}

/** Waits until the standby has all that was committed, and every further commit waits for it. */
async function followInStep(leaderUrl: string, startFollower: () => Promise<Standby>): Promise<Standby> {
  const standby = await startFollower();
  const client = new Client({ connectionString: leaderUrl });
  try {
    await client.connect();
    await client.query("alter system set synchronous_standby_names = '*'");
    await client.query('select pg_reload_conf()');
    for (;;) {
      const { rows } = await client.query(
        "select 1 from pg_stat_replication where sync_state = 'sync' and flush_lsn >= pg_current_wal_flush_lsn()",
      );
      if (rows.length > 0) return standby;
      await sleep(100);
    }
  } catch (error) {
    await standby.remove();
    throw error;
  } finally {
    await client.end();
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
