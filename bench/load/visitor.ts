import { Client } from 'undici';
import { tellAnswer } from './told.js';

export interface Sent {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export interface Answer {
  /** As `tellAnswer` has it; `failed: CODE` when the connection broke, `aborted` when we gave up. */
  readonly told: string;
  readonly text: string;
  readonly fileId: string | undefined;
}

/** One client with one connection, which it keeps. */
export interface Visitor {
  ask(sent: Sent, giveUp?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** Longer than any time-out of the service: a request still unanswered then hangs. */
const hangMs = 120_000;

export function createVisitor(url: string): Visitor {
  const client = new Client(url, { pipelining: 1, headersTimeout: hangMs, bodyTimeout: hangMs });
  return {
    async ask({ method, path, headers = {}, body = null }, giveUp) {
      try {
        const answer = await client.request({
          method,
          path,
          headers: { ...headers },
          body,
          ...(giveUp ? { signal: giveUp } : {}),
        });
        const text = await answer.body.text();
        const fileId = answer.headers['x-file-id'];
        return {
          told: tellAnswer({ status: answer.statusCode, headers: answer.headers, text }),
          text,
          fileId: typeof fileId === 'string' ? fileId : undefined,
        };
      } catch (error) {
        return {
          told: giveUp?.aborted ? 'aborted' : `failed: ${codeOf(error)}`,
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
