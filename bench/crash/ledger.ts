import { type Certainty, createFaceLedger, type FaceLedger } from './face-ledger.js';

/** What the service said yes to, over all its lives: after each kill it must be there. */
export interface Ledger {
  /** Keys of the first account by their id. */
  readonly keys: Map<number, KeyEntry>;
  /** Keys made by the command line, each of an account of its own. */
  readonly commandKeys: string[];
  readonly files: Map<string, FileEntry>;
  /** Of the perception that the rounds enrol into. */
  readonly faces: FaceLedger;
  /** Of an account without a limit, and of one whose calls are counted before the work. */
  readonly calls: Readonly<Record<Payer, CallEntry>>;
  /** In words, each time that usage told less than it had told before. */
  readonly setbacks: string[];
}

export type Payer = 'unlimited' | 'limited';

export interface KeyEntry {
  readonly key: string;
  /** Names that it may have: one, unless the last change was never answered. */
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
  /** The most that usage ever told; for the limited one after starts alone, since calls that fail are given back. */
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
