import { DeliveryError, type DeliveryErrorCode } from './destination.js';

/** Codes of Node and of OpenSSL, and what they mean for whoever looks after the destination. */
const reasons: Readonly<Record<string, readonly [DeliveryErrorCode, string]>> = {
  ECONNREFUSED: ['unreachable', 'nothing takes connections there; check host and port'],
  ECONNRESET: ['unreachable', 'the connection was cut'],
  EPIPE: ['unreachable', 'the connection was cut'],
  ETIMEDOUT: ['unreachable', 'it does not answer; check host and port, and firewalls between'],
  EHOSTUNREACH: ['unreachable', 'there is no way to the host'],
  ENETUNREACH: ['unreachable', 'there is no way to the host'],
  ENOTFOUND: ['unreachable', 'the host has no address; check its name'],
  UND_ERR_CONNECT_TIMEOUT: ['unreachable', 'it does not answer; check host and port, and firewalls between'],
  UND_ERR_SOCKET: ['unreachable', 'the connection was cut'],
  UND_ERR_HEADERS_TIMEOUT: ['unreachable', 'it did not answer in time'],
  UND_ERR_BODY_TIMEOUT: ['unreachable', 'its answer broke off'],
  ENOSPC: ['full', 'the disk has no room'],
  EDQUOT: ['full', 'the quota is used up'],
  EACCES: ['refused', 'there is no right to write there'],
  EPERM: ['refused', 'there is no right to write there'],
  EROFS: ['refused', 'it can only be read'],
  ENAMETOOLONG: ['settings', 'a name is too long; shorten the path template'],
  CERT_HAS_EXPIRED: ['identity', "the server's certificate has expired; it must be renewed there"],
  CERT_NOT_YET_VALID: ['identity', "the server's certificate is not valid yet; check the clocks"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'identity',
    "the server's certificate is for another name; correct the host, or give the certificate itself as certificate",
  ],
};

const unknownIssuer: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]);

/** The failure in words, whoever threw it. What is not known is taken for a connection that failed: it is tried again. */
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
      'TLS cannot be agreed on; check port and kind of TLS, it must know version 1.2 or above',
    );
  }
  return new DeliveryError('unreachable', `the connection failed: ${quoteRemote(messageOf(error))}`);
}

/** Words of the far side, on one line and in quotation marks; `hideSecrets` shortens them. */
export function quoteRemote(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[“”]/g, '"')
    .trim();
  return `“${line}”`;
}

const maxQuoteLength = 200;

/**
 * The same error without the secrets, which a far side may say back, and without causes, which may hold requests. What is
 * quoted is shortened after that: half a secret would not be found.
 */
export function hideSecrets(error: DeliveryError, secrets: readonly string[]): DeliveryError {
  // The long ones first: one may be within another. Of one letter nothing is given away by showing it.
  const known = secrets.filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
  const shown = known
    .reduce((text, secret) => text.replaceAll(secret, '***'), error.message)
    .replace(/“([^”]*)”/g, (whole, words: string) =>
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
