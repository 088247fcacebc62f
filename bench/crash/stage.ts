import type { Visitor } from '../load/visitor.js';
import type { Ledger, Payer } from './ledger.js';

/** What an operation needs: a connection, the keys of both accounts, the ledger. */
export interface Stage {
  readonly visitor: Visitor;
  readonly keys: Readonly<Record<Payer, string>>;
  readonly image: Buffer;
  /** Of the perception that is enrolled into. */
  readonly modelId: number;
  readonly ledger: Ledger;
}
