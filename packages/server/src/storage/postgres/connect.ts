import { readFileSync } from 'node:fs';
import type { Client, ClientConfig, Pool } from 'pg';
import type { PostgresAddress } from '../../core/postgres-address.js';
import { type Bindable, checkRead, refusal } from '../bindable.js';
import { StorageError } from '../storage-error.js';

type Reader = (text: string) => Bindable;

const asText: Reader = (text) => text;

const asNumber: Reader = (text) => checkRead(Number(text));

/** Sums are `numeric`: exact, and of any length. */
const asExactNumber: Reader = (text) => {
  const digits = text.replace(/^-?0*\.?0*|\./g, '').length;
  if (!/^-?\d+(\.\d+)?$/.test(text) || (text.includes('.') && digits > 15)) {
    throw refusal('a numeric that JavaScript cannot hold; cast it to bigint or double precision');
  }
  return asNumber(text);
};

const asBytes: Reader = (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));

/** By the type's number in `pg_type`: the types of the schema and of what is computed from it. */
const readers: ReadonlyMap<number, Reader> = new Map([
  [16, (text) => (text === 't' ? 1 : 0)],
  [17, asBytes],
  [18, asText],
  [19, asText],
  [20, asNumber],
  [21, asNumber],
  [23, asNumber],
  [25, asText],
  [26, asNumber],
  [700, asNumber],
  [701, asNumber],
  [705, asText],
  [1042, asText],
  [1043, asText],
  [1700, asExactNumber],
  // What a function without a result answers, such as taking a lock.
  [2278, asText],
]);

/** A new connection that is not there by then counts as a server that is away; so does a query, some time later. */
const connectTimeoutMs = 5000;
const statementTimeoutMs = 30_000;
/** Above the server's own limits, for a server that is gone without a word. */
const answerTimeoutMs = 40_000;
const lockTimeoutMs = 10_000;
/** Between statements of a unit is a round trip. A service that stands still meanwhile (stopped, swapped out) holds what others wait for. */
const idleInUnitTimeoutMs = 15_000;
const idleTimeoutMs = 60_000;

/** What every connection is opened with. Without the address as text, which holds the password. */
function connectionConfig(address: PostgresAddress): ClientConfig {
  const { host, port, database, user, password } = address;
  return {
    host,
    port,
    database,
    user,
    ...(password === '' ? {} : { password }),
    ssl: encryptionOf(address),
    application_name: 'lynceus',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    types: { getTypeParser: readerOf },
  };
}

/** Services on SQLite need not load it. */
const loadDriver = () => import('pg');

/** A connection not yet made, without a bound on an answer: rows of a large table are counted, or a step goes over it. */
export async function makeClient(address: PostgresAddress, more: ClientConfig = {}): Promise<Client> {
  const { Client } = await loadDriver();
  const client = new Client({ ...connectionConfig(address), query_timeout: 0, ...more });
  client.on('error', () => undefined);
  return client;
}

/**
 * A pool of at most `max` connections. What promises rest on is set in each session, whatever the server's, the
 * database's or the user's defaults are; `set` says what besides.
 */
export async function openPool(address: PostgresAddress, max: number, set: readonly string[]): Promise<Pool> {
  const { Pool } = await loadDriver();
  const pool = new Pool({
    ...connectionConfig(address),
    max,
    idleTimeoutMillis: idleTimeoutMs,
    // Statements of a unit are sent together.
    pipeline: true,
    onConnect: async (client) => {
      await client.query([...sessionSettings, ...set].map((setting) => `SET ${setting}`).join('; '));
    },
  });
  // An idle connection that was cut is gone from the pool already; the next one tells whether the server is there.
  pool.on('error', () => undefined);
  return pool;
}

const sessionSettings: readonly string[] = [
  // An acknowledged change is on disk.
  'synchronous_commit = on',
  `statement_timeout = ${statementTimeoutMs}`,
  `lock_timeout = ${lockTimeoutMs}`,
  // Of a service that vanished, the server lets go by itself.
  `idle_in_transaction_session_timeout = ${idleInUnitTimeoutMs}`,
  "client_encoding = 'UTF8'",
  'standard_conforming_strings = on',
  // The shortest text that is exactly the number, and bytes as hexadecimal.
  'extra_float_digits = 1',
  "bytea_output = 'hex'",
];

function encryptionOf({ encryption, authoritiesPath }: PostgresAddress): ClientConfig['ssl'] {
  if (encryption === 'disable') return false;
  if (encryption === 'require') return { rejectUnauthorized: false };
  return authoritiesPath === '' ? true : { ca: readAuthorities(authoritiesPath) };
}

function readAuthorities(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError('access', `The sslrootcert of databaseUrl cannot be read: ${reason}`);
  }
}

/**
 * How a column's text becomes the value that SQLite would have given: numbers exact or refused, booleans 0 and 1, bytes
 * over a buffer of their own.
 */
export function readerOf(type: number): Reader {
  return (
    readers.get(type) ??
    (() => {
      throw refusal(`a column of PostgreSQL's type ${type} is none that both databases have; cast it`);
    })
  );
}
