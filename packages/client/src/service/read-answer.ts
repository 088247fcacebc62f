import { LynceusError } from '../error.js';
import type { Answer, Call } from './call.js';

/** Reads an answer of the service. Throws a LynceusError for an error and for what no answer of the service can be. */
export async function readAnswer(
  response: Response,
  { media, as, alsoAnswers }: Pick<Call, 'media' | 'as' | 'alsoAnswers'>,
): Promise<Answer> {
  const { headers, status } = response;
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (isRedirect) {
    throw unreadable(
      response,
      'a redirect, which would carry the key elsewhere: give the address it leads to',
    );
  }
  if (status === 204) return { body: undefined, headers };
  if (media && response.ok) {
    const type = headers.get('content-type') ?? '';
    const isExpected = media.split(', ').some((each) => type.startsWith(each.replace('*', '')));
    if (!isExpected) throw unreadable(response, `no ${media}`);
    if (as === 'stream') return { body: response.body, headers };
    return { body: as === 'text' ? await response.text() : await response.blob(), headers };
  }
  const body = parse(await response.text());
  if (typeof body !== 'object' || body === null) throw unreadable(response, 'not an object of JSON');
  const refusal = readRefusal(body);
  if (refusal) {
    throw new LynceusError(refusal.code, refusal.message, {
      httpStatus: status,
      requestId: refusal.requestId ?? headers.get('x-request-id'),
      retryAfterMs: readRetryAfter(headers),
      current: refusal.current,
    });
  }
  if (!response.ok && status !== alsoAnswers) throw unreadable(response, 'not as its errors are');
  return { body, headers };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly current: unknown;
}

/** v1 and v2 report an error in `error`, under any HTTP status; the management API as a problem (RFC 9457). */
function readRefusal(body: object): Refusal | null {
  const error: unknown = Reflect.get(body, 'error');
  const facts = typeof error === 'object' && error !== null ? error : body;
  const code: unknown = Reflect.get(facts, 'code');
  const message: unknown = Reflect.get(facts, facts === body ? 'detail' : 'message');
  const requestId: unknown = Reflect.get(facts, 'request_id');
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const current: unknown = Reflect.get(facts, 'current');
  return { code, message, requestId: typeof requestId === 'string' ? requestId : null, current };
}

function unreadable({ status, headers }: Response, what: string): LynceusError {
  const type = headers.get('content-type') ?? 'no content type';
  return new LynceusError(
    'unreadable_answer',
    `the answer (HTTP ${status}, ${type}) is ${what}; check that baseUrl is the service, and what stands before it`,
    {
      httpStatus: status,
      requestId: headers.get('x-request-id'),
      retryAfterMs: readRetryAfter(headers),
    },
  );
}

/** Seconds or a date (RFC 9110, section 10.2.3); null without one that can be read. */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
