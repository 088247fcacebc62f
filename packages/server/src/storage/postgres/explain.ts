import { describeAddress, type PostgresAddress } from '../../core/postgres-address.js';
import { StorageError, type StorageErrorCode } from '../storage-error.js';

/** `again`: the unit was undone and may succeed now. `away`: the connection is lost. `refused`: neither helps. */
type ErrorClass = 'again' | 'away' | 'refused';

/** Reads what went wrong between us and the server, as far as it tells what to do next. */
export function classifyError(error: unknown): ErrorClass {
  if (error instanceof StorageError) return 'refused';
  const state = stateOf(error);
  if (state === null) return isCrowded(error) || refusedWithoutState(error) ? 'refused' : 'away';
  if (state === '40001' || state === '40P01') return 'again';
  return lostStates.test(state) ? 'away' : 'refused';
}

/** Connection exceptions, shutdowns, a server that is starting, no connection left, ended for idleness. */
const lostStates = /^(08|57P|53300|25P03)/;

/** By what an SQLSTATE starts with, the longest first. */
const byState: readonly (readonly [prefix: string, code: StorageErrorCode])[] = [
  ['23505', 'unique'],
  ['23502', 'not-null'],
  ['23', 'constraint'],
  ['22', 'value'],
  ['40', 'busy'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['08', 'busy'],
  ['57P', 'busy'],
  ['25P03', 'busy'],
  ['53100', 'full'],
  ['53300', 'busy'],
  ['53', 'overloaded'],
  ['54', 'value'],
  ['25006', 'access'],
  ['28', 'access'],
  ['3D', 'access'],
  ['3F', 'access'],
  ['42501', 'access'],
  ['58', 'access'],
  ['XX001', 'damaged'],
  ['XX002', 'damaged'],
];

/**
 * Turns an error of the driver or the server into ours, with words that say what to fix. It carries no cause: the
 * server's details quote rows, and the driver's errors know the connection.
 */
export function explainPostgresError(error: unknown, address: PostgresAddress): StorageError {
  if (error instanceof StorageError) return error;
  const state = stateOf(error);
  const message = messageOf(error);
  if (state === null) return explainConnection(error, message, address);
  const code = byState.find(([prefix]) => state.startsWith(prefix))?.[1] ?? 'internal';
  return new StorageError(code, `${explainState(state, message, address)} [${state}]`);
}

function explainState(state: string, message: string, address: PostgresAddress): string {
  const label = `PostgreSQL database ${describeAddress(address)}`;
  if (state.startsWith('28')) {
    return `The ${label} lets the user "${address.user}" not in (${message}); check user and password in LYNCEUS_DATABASE_URL, and the server's pg_hba.conf.`;
  }
  if (state.startsWith('3D')) {
    return `There is no ${label}. Make it (createdb -E UTF8 ${address.database}), or correct LYNCEUS_DATABASE_URL.`;
  }
  if (state === '42501') {
    return `The user "${address.user}" lacks a right in the ${label} (${message}); make it the owner of the database.`;
  }
  if (state === '25006') {
    return `The ${label} is read-only here (${message}); give LYNCEUS_DATABASE_URL the server that takes writes.`;
  }
  if (state === '53300') {
    return `The ${label} has no connection left (${message}); lower LYNCEUS_DATABASE_CONNECTIONS or raise the server's max_connections.`;
  }
  if (state === '53100') return `The disk under the ${label} is full; nothing was written. Make room.`;
  if (state.startsWith('55P03') || state === '57014' || state.startsWith('40')) {
    return `The ${label} was held up by other changes (${message}); try again.`;
  }
  if (lostStates.test(state)) return `The ${label} is not available (${message}); is the server starting?`;
  return message;
}

/** What the driver says without an SQLSTATE is about the connection. */
function explainConnection(error: unknown, message: string, address: PostgresAddress): StorageError {
  if (isCrowded(error)) return new StorageError('overloaded', 'The database is not keeping up; try again.');
  const label = describeAddress(address);
  if (!refusedWithoutState(error)) {
    return new StorageError(
      'busy',
      `The PostgreSQL database ${label} cannot be reached (${message}); is the server running, and is LYNCEUS_DATABASE_URL right?`,
    );
  }
  const what = /SASL|password/i.test(message) ? 'user and password' : 'sslmode and sslrootcert';
  return new StorageError(
    'access',
    `The PostgreSQL database ${label} cannot be used (${message}); check ${what} in LYNCEUS_DATABASE_URL.`,
  );
}

/** The pool's own words for a caller that waited too long for a connection in use. */
function isCrowded(error: unknown): boolean {
  return messageOf(error) === 'timeout exceeded when trying to connect';
}

/** Authentication and encryption fail alike however often they are tried. */
function refusedWithoutState(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /SASL|SSL|password|certificate/i.test(messageOf(error)) || /CERT|SSL|TLS/.test(code);
}

function stateOf(error: unknown): string | null {
  // A `DatabaseError` of the driver; errors of Node have a code too, but no severity.
  const isOfServer = error instanceof Error && 'severity' in error && 'code' in error;
  return isOfServer && typeof error.code === 'string' ? error.code : null;
}

function messageOf(error: unknown): string {
  // One attempt for each address of a host comes as a list without a message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
