import { type Certainty, createFaceLedger, type FaceLedger } from './face-ledger.js';

/** Everything that the service acknowledged, over all its lives: after each kill it must be there. */
export interface Ledger {
  /** Keys of the first account by their id. */
  readonly keys: Map<number, KeyEntry>;
  /** Keys created by the command line, each of an account of its own. */
  readonly commandKeys: string[];
  readonly files: Map<string, FileEntry>;
  /** The perception of the rounds. */
  readonly faces: FaceLedger;
  /** Of an account without a limit, and of one whose calls are counted before the work. */
  readonly calls: Readonly<Record<Payer, CallEntry>>;
  /** Descriptions of decreases of the counted usage. */
  readonly setbacks: string[];
}

export type Payer = 'unlimited' | 'limited';

export interface KeyEntry {
  readonly key: string;
  /** Possible names: one, unless the last change was never answered. */
  names: readonly string[];
  isRevoked: Certainty;
}

export interface FileEntry {
  readonly payer: Payer;
  isDeleted: Certainty;
}

export interface CallEntry {
  sent: number;
  answered: number;
  /** The maximum of the counted usage; for the limited account only after starts, since failed calls are refunded. */
  counted: number;
}

export function createLedger(): Ledger {
  const none = (): CallEntry => ({ sent: 0, answered: 0, counted: 0 });
  return {
    keys: new Map(),
    commandKeys: [],
    files: new Map(),
    faces: createFaceLedger(),
    calls: { unlimited: none(), limited: none() },
    setbacks: [],
  };
}
