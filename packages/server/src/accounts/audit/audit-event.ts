import type { ActorKind } from '../../storage/tables/users.js';
import type { AuditAction } from './audit-actions.js';

/** Who did something. */
export interface Actor {
  readonly kind: ActorKind;
  /** Of the user or key; null for the operator. */
  readonly id: number | null;
  /** The mail address of a user, as it was then; null for a key: the database has its name. */
  readonly name: string | null;
  /** Where the request came from; null for a command. */
  readonly address: string | null;
}

type AuditDetail = string | number | boolean | null | readonly string[];

/** What was done. No secret may be in it. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly subject?:
    | {
        readonly kind: string;
        readonly id: string | number | null;
        readonly name?: string | null | undefined;
      }
    | undefined;
  readonly details?: Readonly<Record<string, AuditDetail>> | undefined;
}
