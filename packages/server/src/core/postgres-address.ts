/** Where a PostgreSQL database is, and who we are there. */
export interface PostgresAddress {
  /** A name or address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Empty: none is sent. Stays out of every message. */
  readonly password: string;
  readonly encryption: 'disable' | 'require' | 'verify-full';
  /** File of certificate authorities; empty: those of the system. */
  readonly authoritiesPath: string;
}

const form = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';
const parameters = ['host', 'sslmode', 'sslrootcert'];

/**
 * Reads `postgres://user:password@host:port/database`, with `?sslmode=disable|require|verify-full`,
 * `?sslrootcert=FILE` and, for a socket, `?host=/folder`. Answers what is wrong, without the text itself, which may hold
 * a password.
 */
export function readPostgresUrl(text: string): PostgresAddress | string {
  const url = parse(text);
  if (url === null) return `must have the form ${form}; percent-encode what a password has of / : @ ? # %`;
  const unknown = [...url.searchParams.keys()].filter((name) => !parameters.includes(name));
  if (unknown.length > 0) return `may have the parameters ${parameters.join(', ')} and no other`;
  const [user, password, host, database] = [url.username, url.password, url.hostname, url.pathname].map(
    decode,
  );
  if (user === undefined || password === undefined || host === undefined || database === undefined) {
    return 'has a % that encodes nothing; write % itself as %25';
  }
  if (user === '') return `must name a user: ${form}`;
  const name = database.slice(1);
  if (name === '' || name.includes('/')) return `must name one database: ${form}`;
  const encryption = url.searchParams.get('sslmode') ?? 'disable';
  if (encryption !== 'disable' && encryption !== 'require' && encryption !== 'verify-full') {
    return 'must have sslmode disable (the default), require (encrypted) or verify-full (encrypted, and the certificate checked)';
  }
  const authoritiesPath = url.searchParams.get('sslrootcert') ?? '';
  if (authoritiesPath !== '' && encryption !== 'verify-full') {
    return 'has sslrootcert, which is read with sslmode=verify-full only';
  }
  return {
    host: url.searchParams.get('host') ?? host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 5432),
    database: name,
    user,
    password,
    encryption,
    authoritiesPath,
  };
}

/** The text with its password masked; what cannot be read is masked whole. */
export function maskPostgresUrl(text: string): string {
  const url = parse(text);
  if (url === null) return '********';
  if (url.password !== '') url.password = '********';
  return url.href;
}

/** `database at host:port`, for messages. */
export function describeAddress({ host, port, database }: PostgresAddress): string {
  return `"${database}" at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function parse(text: string): URL | null {
  if (!/^postgres(ql)?:\/\/[^/?#\s]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname === '' || url.hash !== '' ? null : url;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
