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

/** `maybe`: asked for, and never answered. */
export type Fate = 'no' | 'maybe' | 'yes';

export interface KeyEntry {
  readonly key: string;
  /** Names that it may have: one, unless the last change was never answered. */
  names: readonly string[];
  isRevoked: Fate;
}

export interface FileEntry {
  readonly payer: Payer;
  isDeleted: Fate;
}

export interface FaceLedger {
  /** Images by their id whose enrolment was answered. */
  readonly images: Map<
    number,
    { /** A person's id, or a key id. */ readonly to: number | string; readonly look: number }
  >;
  /** People whose making was answered. */
  readonly people: Set<number>;
  /** Enrolments that were sent. */
  sent: number;
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
    faces: { images: new Map(), people: new Set(), sent: 0 },
    calls: { unlimited: none(), limited: none() },
    setbacks: [],
  };
}
