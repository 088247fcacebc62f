import { Client } from 'undici';
import { outcomeOf } from './outcome.js';

export interface Sent {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export interface Answer {
  /** As `outcomeOf` has it; `failed: CODE` when the connection broke, `aborted` when we gave up. */
  readonly outcome: string;
  readonly text: string;
  readonly fileId: string | undefined;
  /** In small letters; none when there was no answer. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/** One client with one connection, which it keeps. */
export interface Visitor {
  ask(sent: Sent, abortSignal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** Longer than any time-out of the service: a request still unanswered then hangs. */
const hangMs = 120_000;

export function createVisitor(url: string): Visitor {
  const client = new Client(url, { pipelining: 1, headersTimeout: hangMs, bodyTimeout: hangMs });
  return {
    async ask({ method, path, headers = {}, body = null }, abortSignal) {
      try {
        const answer = await client.request({
          method,
          path,
          headers: { ...headers },
          body,
          ...(abortSignal ? { signal: abortSignal } : {}),
        });
        const text = await answer.body.text();
        const fileId = answer.headers['x-file-id'];
        return {
          outcome: outcomeOf({ status: answer.statusCode, headers: answer.headers, text }),
          text,
          fileId: typeof fileId === 'string' ? fileId : undefined,
          headers: answer.headers,
        };
      } catch (error) {
        return {
          outcome: abortSignal?.aborted ? 'aborted' : `failed: ${codeOf(error)}`,
          text: '',
          fileId: undefined,
        };
      }
    },
    close: () => client.destroy(),
  };
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return `${error.code} ${error.message}`;
  return String(error);
}
