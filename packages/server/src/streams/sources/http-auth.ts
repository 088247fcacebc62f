import { createHash, randomBytes } from 'node:crypto';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** One challenge of a `WWW-Authenticate` header; scheme and names of parameters in lower case. */
interface Challenge {
  readonly scheme: string;
  readonly params: ReadonlyMap<string, string>;
}

/** Authorization for one server: Basic (RFC 7617), and Digest (RFC 7616, 2617) with MD5 or SHA-256, without qop or with `auth`. */
export interface Authenticator {
  /** The value of `Authorization` for a request, or undefined as long as the server has not asked for any. */
  authorize(method: string, uri: string): string | undefined;
  /** Takes the challenges of a 401. Whether the request is worth repeating: false when it was refused with these credentials. */
  accept(wwwAuthenticate: readonly string[]): boolean;
}

const maxHeaderLength = 4096;

export function createAuthenticator(credentials: Credentials | null): Authenticator {
  let current: Challenge | null = null;
  let uses = 0;
  return {
    authorize(method, uri) {
      if (credentials === null || current === null) return undefined;
      if (current.scheme === 'basic') {
        return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
      }
      uses += 1;
      return answerDigest(current.params, credentials, {
        method,
        uri,
        count: uses,
        cnonce: randomBytes(8).toString('hex'),
      });
    },
    accept(headers) {
      const before = current;
      const next = strongest(headers.flatMap(parseChallenges));
      if (credentials === null || next === null) return false;
      const nonce = next.params.get('nonce');
      // An expired nonce is no refusal. Some cameras give a new one with each refusal, without saying that the old is stale.
      if (before !== null && before.scheme === next.scheme) {
        const isStale = next.params.get('stale')?.toLowerCase() === 'true';
        const isNew = next.scheme === 'digest' && nonce !== before.params.get('nonce') && uses > 1;
        if (!isStale && !isNew) return false;
      }
      current = next;
      uses = 0;
      return true;
    },
  };
}

/** The challenges in the value of one header; what cannot be read is left out. */
export function parseChallenges(header: string): Challenge[] {
  const found: { scheme: string; params: Map<string, string> }[] = [];
  // A scheme is a word that no equals sign follows; a parameter has a quoted or a plain value.
  const part = /([A-Za-z0-9!#$%&'*+.^_`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;
  for (const [, name = '', quoted, plain] of header.slice(0, maxHeaderLength).matchAll(part)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) found.push({ scheme: name.toLowerCase(), params: new Map() });
    else found.at(-1)?.params.set(name.toLowerCase(), value);
  }
  return found;
}

const hashes: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256' };

function strongest(challenges: readonly Challenge[]): Challenge | null {
  const usable = challenges.filter(
    ({ scheme, params }) => scheme === 'basic' || (scheme === 'digest' && isAnswerable(params)),
  );
  const rank = ({ scheme, params }: Challenge) =>
    scheme === 'basic' ? 0 : algorithmOf(params) === 'SHA-256' ? 2 : 1;
  return usable.sort((a, b) => rank(b) - rank(a))[0] ?? null;
}

function isAnswerable(params: ReadonlyMap<string, string>): boolean {
  const qop = params.get('qop');
  return (
    hashes[algorithmOf(params)] !== undefined && params.has('nonce') && (qop === undefined || offersAuth(qop))
  );
}

const offersAuth = (qop: string) =>
  qop === '' || qop.split(',').some((each) => each.trim().toLowerCase() === 'auth');
const algorithmOf = (params: ReadonlyMap<string, string>) => (params.get('algorithm') ?? 'MD5').toUpperCase();

/** The value of `Authorization` by RFC 7616, section 3.4. */
export function answerDigest(
  params: ReadonlyMap<string, string>,
  { username, password }: Credentials,
  request: { readonly method: string; readonly uri: string; readonly count: number; readonly cnonce: string },
): string {
  const { method, uri, cnonce } = request;
  const algorithm = algorithmOf(params);
  const hash = (text: string) =>
    createHash(hashes[algorithm] ?? 'md5')
      .update(text)
      .digest('hex');
  const realm = params.get('realm') ?? '';
  const nonce = params.get('nonce') ?? '';
  const opaque = params.get('opaque');
  const hasQop = (params.get('qop') ?? '') !== '';
  const nc = request.count.toString(16).padStart(8, '0');
  const secret = hash(`${username}:${realm}:${password}`);
  const target = hash(`${method}:${uri}`);
  const response = hash(
    hasQop ? `${secret}:${nonce}:${nc}:${cnonce}:auth:${target}` : `${secret}:${nonce}:${target}`,
  );
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  return [
    `Digest username=${quote(username)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(uri)}`,
    `response="${response}"`,
    ...(params.has('algorithm') ? [`algorithm=${algorithm}`] : []),
    ...(hasQop ? ['qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
  ].join(', ');
}
