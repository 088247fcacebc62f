import { LynceusError } from '@lynceus/client';
import { serviceAddress } from './place.js';

/** Asks what needs no session yet. Throws a LynceusError. */
export async function askService<Body>(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  csrfToken?: string,
): Promise<Body> {
  const response = await fetch(`${serviceAddress}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new LynceusError('network_error', 'the service does not answer', { cause });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as Body;
  throw new LynceusError(answer.code ?? 'invalid_answer', answer.detail ?? `HTTP ${response.status}`, {
    httpStatus: response.status,
  });
}
