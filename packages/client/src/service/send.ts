import { LynceusError } from '../error.js';
import { type CheckedOptions, findTimeoutProblem } from '../options.js';
import type { Answer, Call, Send } from './call.js';
import { endWith, givenUp } from './end-with.js';
import { readAnswer } from './read-answer.js';

/** What ends a call early. */
export interface TimeLimit {
  /** Fires with a LynceusError as its reason. */
  readonly signal: AbortSignal;
  leftMs(): number;
  end(): void;
}

const firstWaitMs = 500;

/** So that clients that were refused together do not come back together. */
const spread = 0.25;

/** How calls reach the service: key, time limit, repetition, errors. */
export function createSend(client: CheckedOptions): Send {
  return async (call, { signal, timeoutMs = client.timeoutMs }) => {
    checkCall(timeoutMs, signal);
    const limit = limitTime(timeoutMs, signal);
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return untilAborted(await sendOnce(client, call, limit.signal), signal);
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

/** The time limit is for an answer to begin; the caller's signal also ends one that is read as it comes. */
function untilAborted(answer: Answer, signal: AbortSignal | undefined): Answer {
  if (!signal || !(answer.body instanceof ReadableStream)) return answer;
  return { ...answer, body: endWith(signal, answer.body) };
}

/** Programs without types may give anything. */
function checkCall(timeoutMs: number, signal: AbortSignal | undefined): void {
  // One of another frame of a page is no instance of this page's class.
  const isSignal = !signal || typeof signal.addEventListener === 'function';
  const problem = findTimeoutProblem(timeoutMs) ?? (isSignal ? undefined : 'signal must be an AbortSignal');
  if (problem !== undefined) throw new LynceusError('wrong_parameters', problem);
}

async function sendOnce(client: CheckedOptions, call: Call, signal: AbortSignal): Promise<Answer> {
  // What cannot be written as JSON is an error of the call and not of the network.
  const query = call.query?.toString();
  const url = `${client.baseUrl}${call.path}${query ? `?${query}` : ''}`;
  const body = call.form ?? call.file?.blob ?? (call.json === undefined ? null : JSON.stringify(call.json));
  try {
    signal.throwIfAborted();
    const response = await client.fetch(url, {
      method: call.method,
      headers: {
        ...credentialHeaders(client, call),
        accept: call.media ? `${call.media}, application/json` : 'application/json',
        ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.file ? { 'content-type': call.file.type } : {}),
        ...(call.ifMatch === undefined ? {} : { 'if-match': call.ifMatch }),
      },
      body,
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

/**
 * Whether a retry can help and does no harm. A busy service gives the call back, so nothing is counted twice; but it
 * may have run out of time at the last step of making something.
 */
function isWorthRepeating(error: unknown, { creates }: Pick<Call, 'creates'>): error is LynceusError {
  if (!(error instanceof LynceusError)) return false;
  const { code, httpStatus } = error;
  // What stands before the service refuses in its own words.
  const isForeign = code === 'unreadable_answer';
  const isLimited = code === 'too_many_requests' || (isForeign && httpStatus === 429);
  const isBusy = code === 'service_busy' || (isForeign && httpStatus === 503);
  return isLimited || (isBusy && creates !== true);
}

/** Waits as long as the service asks, and longer with each attempt. False, at once, when the time left is too short. */
async function waitBeforeRepeating(
  { retryAfterMs }: LynceusError,
  attempt: number,
  { signal, leftMs }: TimeLimit,
): Promise<boolean> {
  const leastMs = Math.max(retryAfterMs ?? 0, firstWaitMs * 2 ** attempt);
  const waitMs = leastMs * (1 + spread * Math.random());
  if (waitMs >= leftMs()) return false;
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, waitMs);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return true;
}

/** A limit that fires after the time or with the caller's signal, whichever is first; `end` lets go of both. */
function limitTime(timeoutMs: number, given: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const timer = setTimeout(() => {
    controller.abort(new LynceusError('timeout', `the call took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  const onAbort = () => {
    if (given) controller.abort(givenUp(given));
  };
  if (given?.aborted) onAbort();
  given?.addEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    leftMs: () => endsAt - performance.now(),
    end: () => {
      clearTimeout(timer);
      given?.removeEventListener('abort', onAbort);
    },
  };
}
