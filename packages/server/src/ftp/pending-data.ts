import type { Socket } from 'node:net';

/** A data connection that was agreed upon and has not been asked for yet. */
export interface PendingData {
  /** The connection, paused. Throws `TransferError` when there is none in time, or the signal fires. Called once. */
  open(timeoutMs: number, signal: AbortSignal): Promise<Socket>;
  /** Gives its port, and a connection that is there already, back. */
  discard(): void;
}
