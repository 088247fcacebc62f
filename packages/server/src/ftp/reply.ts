import { DropError, type DropErrorCode } from '../drops/drop-error.js';

/** What is said on the control connection: a code of three digits and one line of text, or several. */
export interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

export function reply(code: number, ...lines: readonly string[]): Reply {
  return { code, lines };
}

/**
 * RFC 959, 4.2: `CODE text`, or `CODE-first`, indented lines between, `CODE last`. The indent keeps a line that begins with
 * digits from being taken for the last.
 */
export function writeReply({ code, lines }: Reply): string {
  const clean = lines.map(toOneLine);
  const last = clean.at(-1) ?? '';
  if (clean.length < 2) return `${code} ${last}\r\n`;
  const [first = '', ...between] = clean.slice(0, -1);
  return [`${code}-${first}`, ...between.map((line) => ` ${line}`), `${code} ${last}`, ''].join('\r\n');
}

/** Names of others stand in replies: none of them may end the line, or write another one. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}

export type TransferErrorCode =
  /** No data connection came about. */
  | 'not-opened'
  | 'aborted'
  /** Nothing moved for too long. */
  | 'stalled'
  /** It ended without its proper end: a reset, or TLS without its close. */
  | 'broken';

/** Why a transfer did not come to its end; the message is for the client. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly code: TransferErrorCode;

  constructor(code: TransferErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Of whatever a connection threw. */
export function toTransferError(error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  return new TransferError('broken', 'The data connection broke.', { cause: error });
}

/** A command that is not carried out; the message is for the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** RFC 959, 4.2.2: 4xx may be tried again as it is, 5xx not. */
const dropCodes: Readonly<Record<DropErrorCode, number>> = {
  'not-found': 550,
  exists: 550,
  'wrong-kind': 550,
  offset: 554,
  'not-empty': 550,
  'read-only': 550,
  name: 553,
  busy: 450,
  full: 452,
  'too-many': 452,
  'too-large': 552,
};

const transferCodes: Readonly<Record<TransferErrorCode, number>> = {
  'not-opened': 425,
  aborted: 426,
  stalled: 426,
  broken: 426,
};

/** What is said for an error that a client can make; null for one that is ours. */
export function replyToError(error: unknown): Reply | null {
  if (error instanceof Refusal) return reply(error.code, error.message);
  if (error instanceof DropError) return reply(dropCodes[error.code], error.message);
  if (error instanceof TransferError) return reply(transferCodes[error.code], error.message);
  return null;
}
