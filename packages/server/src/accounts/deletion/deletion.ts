import type { ActorKind } from '../../storage/tables/users.js';

type DeletionState =
  /** The account is closed, and the deletion can be cancelled. */
  'scheduled' | 'running' | 'done';

/** Something that was deleted, counted. */
interface DeletedCount {
  /** A table, or a store of files. */
  readonly kind: string;
  readonly items: number;
  /** Of the files that rows name, or of files; 0 where there are none. */
  readonly bytes: number;
}

/** The deletion of an account; once it is done, the receipt. It has no name of anybody. Times are milliseconds since 1970. */
export interface AccountDeletion {
  readonly accountId: number;
  readonly state: DeletionState;
  readonly askedBy: { readonly kind: Exclude<ActorKind, 'key'>; readonly id: number | null };
  readonly askedAt: number;
  /** It does not begin before. */
  readonly dueAt: number;
  readonly begunAt: number | null;
  readonly endedAt: number | null;
  /** Why it does not get on; null: it does. */
  readonly waitsFor: string | null;
  /** Of the database, by table. */
  readonly rows: readonly DeletedCount[];
  /** Of data folders, by folder and store. */
  readonly files: readonly (DeletedCount & { readonly folder: string })[];
  /** Folders whose services have not reported yet. */
  readonly foldersLeft: readonly string[];
}
