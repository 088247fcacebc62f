import type { WithKeyLock } from '../../core/keyed-mutex.js';
import type { Database } from '../../storage/database.js';
import { withKeysHeld } from '../../storage/secrets/key-fence.js';
import type { KeyRing } from '../../storage/secrets/key-ring.js';
import { createSecretBox, type SecretBox } from '../../storage/secrets/secret-box.js';

export interface SharedIdentityDeps {
  readonly database: Database;
  /** Of the installation: they seal what is shared. */
  readonly keys: () => Promise<KeyRing>;
  readonly withSharedLock: WithKeyLock;
}

/** By what clients recognise a server: a certificate, or host keys. */
interface IdentityKind<Identity> {
  /** For people, and of the lock. */
  readonly name: string;
  /** Of one row or none. */
  readonly table: 'ftp_certificate' | 'sftp_host_key';
  /** What the sealed text belongs to. */
  readonly context: string;
  /** Null for one that is of no use any more. */
  parse(text: string): Identity | null;
  make(): Promise<Identity>;
  /** The copy of this service; null where it has none of use. */
  readOwn(): Promise<Identity | null>;
  writeOwn(identity: Identity): Promise<void>;
}

/**
 * The one identity of all services on a database: in the database, sealed, with a copy in each data folder. The first service
 * puts its own there, or makes one; whichever finds that it is of no use, or that no key opens it, replaces it. To be called
 * again for what another service did meanwhile.
 */
export function createSharedIdentity<Identity>(
  deps: SharedIdentityDeps,
  kind: IdentityKind<Identity>,
): () => Promise<Identity> {
  return async () => {
    const ring = await deps.keys();
    const box = createSecretBox(ring);
    const shared =
      open(await readSealed(deps, kind), box, kind) ??
      (await deps.withSharedLock(kind.name, () => putOne(deps, kind, ring, box)));
    const here = await kind.readOwn();
    if (JSON.stringify(here) !== JSON.stringify(shared)) await kind.writeOwn(shared);
    return shared;
  };
}

/** Puts one in the place of none, or of one that is of no use; answers the one that is there then. */
async function putOne<Identity>(
  deps: SharedIdentityDeps,
  kind: IdentityKind<Identity>,
  ring: KeyRing,
  box: SecretBox,
): Promise<Identity> {
  const { query } = deps.database;
  const before = await readSealed(deps, kind);
  const there = open(before, box, kind);
  if (there) return there;
  const identity = (await kind.readOwn()) ?? (await kind.make());
  const sealed = box.seal(JSON.stringify(identity), kind.context);
  await withKeysHeld(deps.database, ring).write([
    before === null
      ? query
          .insertInto(kind.table)
          .values({ only: 1, sealed })
          .onConflict((conflict) => conflict.column('only').doNothing())
      : query.updateTable(kind.table).set({ sealed }).where('sealed', '=', before),
  ]);
  // That of another, where the lock was lost meanwhile.
  const put = open(await readSealed(deps, kind), box, kind);
  if (put) return put;
  throw new Error(`The ${kind.name} was changed by another service meanwhile: start this one again.`);
}

/** Null where there is none. */
async function readSealed<Identity>(
  { database: { query } }: SharedIdentityDeps,
  { table }: IdentityKind<Identity>,
): Promise<string | null> {
  return (await query.selectFrom(table).select('sealed').executeTakeFirst())?.sealed ?? null;
}

/** Null where none of the keys opens it, or it is of no use. */
function open<Identity>(
  sealed: string | null,
  box: SecretBox,
  { context, parse }: IdentityKind<Identity>,
): Identity | null {
  const text = sealed === null ? null : box.open(sealed, context);
  return text === null ? null : parse(text);
}
