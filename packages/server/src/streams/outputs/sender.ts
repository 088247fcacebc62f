import type { DestinationDeps } from '../../delivery/destination.js';
import type { OutgoingEvent } from './read-events.js';

/** Sends the events of one output. Methods throw `DeliveryError`, and reject with the signal's reason once it fires. */
export interface Sender {
  /** Between calls of `tend`; null: there is nothing beside events. */
  readonly tendEveryMs: number | null;
  /** Does what is to be done beside events: connects, keeps states up to date. Before the first event, and after some. */
  tend(signal: AbortSignal): Promise<void>;
  /** Resolves when the receiver has it. */
  send(event: OutgoingEvent, signal: AbortSignal): Promise<void>;
  /** Ends connections: another service, or this one later, goes on. */
  close(): Promise<void>;
  /** The same, and removes what the receiver keeps of the output. Answers whether nothing is left there. */
  retire(): Promise<boolean>;
}

/** Where senders may connect to. */
export type SenderDeps = Pick<DestinationDeps, 'allowedNetworks' | 'resolve'>;

/** For one event, connecting and answering together. */
export const sendTimeoutMs = 10_000;
