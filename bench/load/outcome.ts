/** Answers of every route whose work has a queue. */
export const busy = '503 service_busy';

const retryable: ReadonlySet<string> = new Set(['service_busy', 'too_many_requests']);

interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * An answer in short, to be compared with what is documented: `200`, `204`, `413 file_too_large`. What an answer must
 * have and lacks is added, so that it equals nothing that is documented.
 */
export function outcomeOf({ status, headers, text }: Heard): string {
  const code = status < 400 ? undefined : (errorCodeOf(text) ?? 'without a code');
  const lacks = [
    ...(headers['x-request-id'] === undefined ? ['X-Request-Id'] : []),
    ...(retryable.has(code ?? '') && headers['retry-after'] === undefined ? ['Retry-After'] : []),
  ];
  const short = code === undefined ? String(status) : `${status} ${code}`;
  return lacks.length === 0 ? short : `${short}, lacks ${lacks.join(' and ')}`;
}

/** v1 and v2 carry the code in `error`, the management API at the top. */
function errorCodeOf(text: string): string | undefined {
  const body = readObject(text);
  const code = readObject(body['error'])['code'] ?? body['code'];
  return typeof code === 'string' ? code : undefined;
}

/** An object out of JSON text or out of a value; empty when it is none. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? { ...value } : {};
  try {
    return readObject(Object(JSON.parse(value)));
  } catch {
    return {};
  }
}
