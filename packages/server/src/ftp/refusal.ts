import { DropError, type DropErrorCode } from '../drops/drop-error.js';
import { type Reply, reply } from './reply.js';
import { TransferError, type TransferErrorCode } from './transfer-error.js';

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
