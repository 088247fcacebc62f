import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { PostgresAddress } from '../../core/postgres-address.js';
import { StorageError } from '../../storage/storage-error.js';

type ProgramName = 'pg_dump' | 'pg_restore';
const run = promisify(execFile);

/** Programs of PostgreSQL's client, for one database. Nobody sees its password in their command line. */
export type PostgresPrograms = ReturnType<typeof postgresPrograms>;

export function postgresPrograms(
  address: PostgresAddress,
  env: Readonly<Record<string, string | undefined>>,
) {
  const childEnv = { ...withoutPostgres(env), ...connectionEnv(address) };

  async function* output(name: ProgramName, words: readonly string[]): AsyncIterable<Uint8Array> {
    const child = spawn(name, [...words, '--no-password'], {
      env: childEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = collect(child.stderr);
    const ended = exitOf(child, name);
    // A program that is missing may be known before anybody reads.
    ended.catch(() => undefined);
    try {
      yield* child.stdout as AsyncIterable<Buffer>;
      const code = await ended;
      if (code !== 0) throw failed(name, said(), code);
    } finally {
      // Where nobody wants the rest.
      child.kill();
      await ended.catch(() => undefined);
    }
  }

  return {
    /** What a program writes; throws at the end when it failed. */
    output,

    /** Throws where the program is missing, or older than the server. */
    async check(name: ProgramName, serverMajor: number) {
      const { stdout } = await run(name, ['--version'], { env: childEnv }).catch((error: unknown) => {
        throw missing(name, error);
      });
      const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? Number.NaN);
      if (major >= serverMajor) return;
      throw new StorageError(
        'access',
        `${name} is of version ${stdout.trim()} and older than the server (${serverMajor}). Install the client programs of PostgreSQL ${serverMajor} (postgresql-client-${serverMajor} on Debian).`,
      );
    },

    async run(name: ProgramName, words: readonly string[]) {
      for await (const _piece of output(name, words));
    },
  };
}

/** What libpq reads; of the caller's own environment nothing of it counts. */
function connectionEnv(address: PostgresAddress): Record<string, string> {
  const { host, port, database, user, password, encryption, authoritiesPath } = address;
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGDATABASE: database,
    PGUSER: user,
    PGSSLMODE: encryption,
    PGAPPNAME: 'lynceus backup',
    ...(password === '' ? {} : { PGPASSWORD: password }),
    ...(encryption === 'verify-full'
      ? { PGSSLROOTCERT: authoritiesPath === '' ? 'system' : authoritiesPath }
      : {}),
  };
}

function withoutPostgres(env: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PG')));
}

async function exitOf(
  child: ChildProcessByStdio<null, Readable, Readable>,
  name: ProgramName,
): Promise<number | string> {
  try {
    const [code, signal] = await once(child, 'close');
    return Number.isInteger(code) ? Number(code) : String(signal);
  } catch (error) {
    throw missing(name, error);
  }
}

/** The end of what a program says, for messages. */
function collect(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-2000);
  });
  return () => text.trim();
}

function failed(name: ProgramName, said: string, code: number | string): StorageError {
  return new StorageError('access', `${name} failed (${code}): ${said === '' ? 'it said nothing' : said}`);
}

function missing(name: ProgramName, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  return new StorageError(
    'access',
    `${name} cannot be run. Install the client programs of PostgreSQL (postgresql-client on Debian), or put their folder into PATH.`,
    { cause },
  );
}
