import { DropError, type DropErrorCode } from '../drop-error.js';

/** A reply on the control connection: a three-digit code and one or more lines of text. */
export interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

export function reply(code: number, ...lines: readonly string[]): Reply {
  return { code, lines };
}

/**
 * RFC 959, 4.2: `CODE text`, or `CODE-first`, indented lines, `CODE last`. Without the indent, a line that begins with digits could
 * be read as the last one.
 */
export function writeReply({ code, lines }: Reply): string {
  const clean = lines.map(toOneLine);
  const last = clean.at(-1) ?? '';
  if (clean.length < 2) return `${code} ${last}\r\n`;
  const [first = '', ...between] = clean.slice(0, -1);
  return [`${code}-${first}`, ...between.map((line) => ` ${line}`), `${code} ${last}`, ''].join('\r\n');
}

/** Replies quote names that clients chose: none may end the line or start another one. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}

type TransferErrorCode =
  /** No data connection was established. */
  | 'not-opened'
  | 'aborted'
  /** No byte moved within the time limit. */
  | 'stalled'
  /** It ended with a reset, or without TLS's close_notify. */
  | 'broken';

/** Why a transfer failed; the message is for the client. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly code: TransferErrorCode;

  constructor(code: TransferErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Converts any error that a connection threw. */
export function toTransferError(error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  return new TransferError('broken', 'The data connection broke.', { cause: error });
}

/** A command that is refused; the message is for the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** RFC 959, 4.2.2: after 4xx the client may repeat the same command, after 5xx it must not. */
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
  away: 451,
  'too-many': 452,
  'too-large': 552,
};

const transferCodes: Readonly<Record<TransferErrorCode, number>> = {
  'not-opened': 425,
  aborted: 426,
  stalled: 426,
  broken: 426,
};

/** The reply to an error that a client caused; null for an internal error. */
export function replyToError(error: unknown): Reply | null {
  if (error instanceof Refusal) return reply(error.code, error.message);
  if (error instanceof DropError) return reply(dropCodes[error.code], error.message);
  if (error instanceof TransferError) return reply(transferCodes[error.code], error.message);
  return null;
}
