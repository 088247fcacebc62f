import { unknownIssuer } from '../core/unknown-issuer.js';
import { DeliveryError, type DeliveryErrorCode } from './destination.js';

/** Codes of Node and of OpenSSL, with an explanation for the drop's owner. */
const reasons: Readonly<Record<string, readonly [DeliveryErrorCode, string]>> = {
  ECONNREFUSED: ['unreachable', 'the connection was refused; check host and port'],
  ECONNRESET: ['unreachable', 'the connection was cut'],
  EPIPE: ['unreachable', 'the connection was cut'],
  ETIMEDOUT: ['unreachable', 'the host does not answer; check host and port, and firewalls between'],
  EHOSTUNREACH: ['unreachable', 'there is no route to the host; check host and network'],
  ENETUNREACH: ['unreachable', 'there is no route to the host; check host and network'],
  ENOTFOUND: ['unreachable', 'the host has no address; check its name'],
  UND_ERR_CONNECT_TIMEOUT: [
    'unreachable',
    'the host does not answer; check host and port, and firewalls between',
  ],
  UND_ERR_SOCKET: ['unreachable', 'the connection was cut'],
  UND_ERR_HEADERS_TIMEOUT: ['unreachable', 'the server did not answer in time'],
  UND_ERR_BODY_TIMEOUT: ['unreachable', 'the answer of the server was interrupted'],
  ENOSPC: ['full', 'the disk is full; free some space'],
  EDQUOT: ['full', 'the quota of the disk is used up'],
  EACCES: ['refused', 'writing to the folder is not permitted; check its permissions'],
  EPERM: ['refused', 'writing to the folder is not permitted; check its permissions'],
  EROFS: ['refused', 'the file system is read-only'],
  ENAMETOOLONG: ['settings', 'a name is too long; shorten the path template'],
  CERT_HAS_EXPIRED: ['identity', "the server's certificate has expired; it must be renewed there"],
  CERT_NOT_YET_VALID: ['identity', "the server's certificate is not valid yet; check the clocks"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'identity',
    "the server's certificate is for another name; correct the host, or give the certificate itself as certificate",
  ],
};

/** Converts any error into a `DeliveryError`. An unknown error counts as a failed connection, which is retried. */
export function explainFailure(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const code = codeOf(error);
  const [first] = error instanceof AggregateError ? error.errors : [];
  if (code === undefined && first !== undefined) return explainFailure(first);
  const known = code === undefined ? undefined : reasons[code];
  if (known !== undefined) return new DeliveryError(known[0], known[1]);
  if (code !== undefined && unknownIssuer.has(code)) {
    return new DeliveryError(
      'identity',
      "the server's certificate is not signed by a known authority; give the authority's certificate, or the server's own, as certificate",
    );
  }
  if (code?.startsWith('ERR_SSL') || code === 'EPROTO') {
    return new DeliveryError(
      'unreachable',
      'the TLS handshake failed; check port and kind of TLS, and that the server supports version 1.2 or above',
    );
  }
  return new DeliveryError('unreachable', `the connection failed: ${quoteRemote(messageOf(error))}`);
}

/** Text of the remote server on one line and in quotation marks; `hideSecrets` shortens it. */
export function quoteRemote(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[“”]/g, '"')
    .trim();
  return `“${line}”`;
}

/** Every form in which a remote server receives secrets. */
export function spellingsOf(secrets: readonly string[], user: string | undefined): readonly string[] {
  return [
    ...secrets,
    ...secrets.map((secret) => encodeURIComponent(secret)),
    ...secrets.map((secret) => Buffer.from(secret).toString('base64')),
    ...secrets.map((secret) => Buffer.from(`${user}:${secret}`).toString('base64')),
  ];
}

const maxQuoteLength = 200;

/**
 * The same error without secrets, which a remote server may echo, and without causes, which may contain requests. Quoted text is
 * shortened afterwards: a truncated secret would not be found.
 */
export function hideSecrets(error: DeliveryError, secrets: readonly string[]): DeliveryError {
  // Longest first, because one secret may contain another. A secret of one character is not searched for: it would match
  // everywhere.
  const known = secrets.filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
  const shown = known
    .reduce((text, secret) => text.replaceAll(secret, '***'), error.message)
    .replace(/“([^“”]*)”/g, (whole, words: string) =>
      words.length > maxQuoteLength ? `“${words.slice(0, maxQuoteLength)}…”` : whole,
    );
  return new DeliveryError(error.code, shown);
}

function codeOf(error: unknown): string | undefined {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
