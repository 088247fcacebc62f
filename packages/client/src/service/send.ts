import { LynceusError } from '../error.js';
import { type CheckedOptions, checkTimeout } from '../options.js';
import type { Answer, Call, Send } from './call.js';
import { limitTime } from './limit-time.js';
import { acceptedTypes, readAnswer } from './read-answer.js';
import { isWorthRepeating, waitBeforeRepeating } from './repeat.js';

/** How calls reach the service: key, time limit, repetition, errors. */
export function createSend(client: CheckedOptions): Send {
  return async (call, { signal, timeoutMs = client.timeoutMs }) => {
    const limit = limitTime(checkTimeout(timeoutMs), signal);
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await sendOnce(client, call, limit.signal);
        } catch (error) {
          if (attempt >= client.maxRetries || !isWorthRepeating(error, call)) throw error;
          // Rather its own error now than a time-out later.
          if (!(await waitBeforeRepeating(error, attempt, limit))) throw error;
        }
      }
    } finally {
      limit.end();
    }
  };
}

async function sendOnce(client: CheckedOptions, call: Call, signal: AbortSignal): Promise<Answer> {
  try {
    signal.throwIfAborted();
    const response = await client.fetch(`${client.baseUrl}${call.path}${toQuery(call.query)}`, {
      method: call.method,
      headers: {
        ...credentialHeaders(client, call),
        accept: call.wants ? `${acceptedTypes[call.wants]}, application/json` : 'application/json',
        ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.file ? { 'content-type': call.file.type } : {}),
        ...(call.ifMatch === undefined ? {} : { 'if-match': call.ifMatch }),
      },
      body: call.form ?? call.file?.blob ?? (call.json === undefined ? null : JSON.stringify(call.json)),
      // A session's cookie goes to its own origin alone.
      credentials: 'session' in client.credential ? 'same-origin' : 'omit',
      // Following would carry the key to wherever it leads.
      redirect: 'manual',
      signal,
    });
    return await readAnswer(response, call);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof LynceusError) throw error;
    throw new LynceusError(
      'network_error',
      `no answer from ${client.baseUrl}: check the address and that the service runs` +
        ' (a page of another origin reaches its predict paths alone)',
      { cause: error },
    );
  }
}

function credentialHeaders({ credential }: CheckedOptions, { method }: Call): Record<string, string> {
  if ('apiKey' in credential) return { 'x-api-key': credential.apiKey };
  const token = method === 'GET' ? undefined : credential.session.csrfToken();
  return token === undefined ? {} : { 'x-csrf-token': token };
}

function toQuery(query: Call['query'] = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  const text = given.toString();
  return text && `?${text}`;
}
