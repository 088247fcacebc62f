import { decodingFault } from '../../core/content-encoding.js';
import { unknownIssuer } from '../../core/unknown-issuer.js';
import { StreamFailure, type StreamFailureCode } from './stream-source.js';

type Reason = readonly [StreamFailureCode, string];

const timedOut: Reason = ['timeout', 'does not answer; check host and port, and firewalls between'];
const cut: Reason = ['unreachable', 'cut the connection'];

/** What a host does, by the codes of Node and of OpenSSL. */
const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: ['unreachable', 'refuses the connection; check host and port, and whether the camera is on'],
  ECONNRESET: cut,
  EPIPE: cut,
  ETIMEDOUT: timedOut,
  HPE_HEADER_OVERFLOW: ['protocol', 'sends headers without end'],
  EHOSTUNREACH: ['unreachable', 'cannot be reached; check host and network'],
  ENETUNREACH: ['unreachable', 'cannot be reached; check host and network'],
  CERT_HAS_EXPIRED: ['identity', 'has a certificate that has expired; renew it, or leave it unchecked'],
  CERT_NOT_YET_VALID: ['identity', 'has a certificate that is not valid yet; check the clocks'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'identity',
    'has a certificate for another name; correct the host, or leave it unchecked',
  ],
};

/** Converts an error of a connection to a host into a `StreamFailure`, whose message names the host and nothing else. */
export function explainConnection(error: unknown, host: string, isTimedOut = false): StreamFailure {
  if (error instanceof StreamFailure) return error;
  const [code, text] = isTimedOut ? timedOut : reasonOf(error);
  return new StreamFailure(code, `${host} ${text}`, { cause: error });
}

function reasonOf(error: unknown): Reason {
  const [first] = error instanceof AggregateError ? error.errors : [];
  const code = codeOf(error);
  if (first !== undefined && (code === undefined || reasons[code] === undefined)) return reasonOf(first);
  const known = code === undefined ? undefined : reasons[code];
  if (known !== undefined) return known;
  if (code !== undefined && unknownIssuer.has(code)) {
    return [
      'identity',
      'has a certificate that no known authority signed; leave it unchecked where the camera signs its own',
    ];
  }
  if (code?.startsWith('ERR_SSL') || code === 'EPROTO')
    return ['protocol', 'does not speak TLS on this port; check address and port'];
  const fault = decodingFault(error);
  if (fault === 'cut') return ['unreachable', 'ended its answer before it was whole'];
  if (fault === 'corrupt')
    return ['protocol', 'sends an answer whose compression is broken; switch that off at the server'];
  if (code?.startsWith('HPE_')) return ['protocol', 'does not speak HTTP correctly'];
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? cut : reasonOf(cause);
}

function codeOf(error: unknown): string | undefined {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
