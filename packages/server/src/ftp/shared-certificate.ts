import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { WithKeyLock } from '../core/keyed-mutex.js';
import type { Database } from '../storage/database.js';
import { withKeysHeld } from '../storage/secrets/key-fence.js';
import type { KeyRing } from '../storage/secrets/key-ring.js';
import { sealContexts } from '../storage/secrets/sealed-values.js';
import { createSecretBox, type SecretBox } from '../storage/secrets/secret-box.js';
import {
  isGoodPair,
  makeOwnCertificate,
  ownCertificatePaths,
  readOwnCertificate,
  writeOwnCertificate,
} from './own-certificate.js';
import type { CertificatePaths } from './tls.js';

export interface SharedCertificateDeps {
  readonly database: Database;
  /** Of the installation: they seal the certificate and its key. */
  readonly keys: () => Promise<KeyRing>;
  readonly withSharedLock: WithKeyLock;
  readonly clock: () => number;
  /** Where this service keeps its copy. */
  readonly folder: string;
  /** In a certificate that this service makes. */
  readonly hostName: string;
}

const Pair = Type.Object({ certificate: Type.String(), key: Type.String() });
type Pair = Static<typeof Pair>;

/**
 * The one certificate of all services on a database: in the database, sealed, with a copy in each data folder. The first service
 * puts its own there, or makes one; whichever finds that it expires soon, or that no key opens it, replaces it. To be called
 * again for what another service did meanwhile.
 */
export function createSharedCertificate(deps: SharedCertificateDeps): () => Promise<CertificatePaths> {
  const { database, keys, withSharedLock, clock, folder } = deps;
  const paths = ownCertificatePaths(folder);
  return async () => {
    const ring = await keys();
    const box = createSecretBox(ring);
    const shared =
      goodOne(await readSealed(database), box, clock()) ??
      (await withSharedLock('certificate of ftp', () => putOne(deps, paths, ring, box)));
    const here = await readOwnCertificate(paths, clock());
    if (here?.certificate !== shared.certificate || here.key !== shared.key)
      await writeOwnCertificate(paths, shared);
    return paths;
  };
}

/** Puts a certificate in the place of none, or of one that is of no use; answers the one that is there then. */
async function putOne(
  { database, clock, hostName }: SharedCertificateDeps,
  paths: CertificatePaths,
  ring: KeyRing,
  box: SecretBox,
): Promise<Pair> {
  const { query } = database;
  const before = await readSealed(database);
  const there = goodOne(before, box, clock());
  if (there) return there;
  const pair = (await readOwnCertificate(paths, clock())) ?? (await makeOwnCertificate(hostName, clock()));
  const sealed = box.seal(JSON.stringify(pair), sealContexts.ftpCertificate);
  await withKeysHeld(database, ring).write([
    before === null
      ? query
          .insertInto('ftp_certificate')
          .values({ only: 1, sealed })
          .onConflict((conflict) => conflict.column('only').doNothing())
      : query.updateTable('ftp_certificate').set({ sealed }).where('sealed', '=', before),
  ]);
  // That of another, where the lock was lost meanwhile.
  const put = goodOne(await readSealed(database), box, clock());
  if (put) return put;
  throw new Error('The certificate of FTP was changed by another service meanwhile: start this one again.');
}

/** Null where there is none. */
async function readSealed({ query }: Pick<Database, 'query'>): Promise<string | null> {
  return (await query.selectFrom('ftp_certificate').select('sealed').executeTakeFirst())?.sealed ?? null;
}

/** Null where none of the keys opens it, or it is of no use. */
function goodOne(sealed: string | null, box: SecretBox, nowMs: number): Pair | null {
  const text = sealed === null ? null : box.open(sealed, sealContexts.ftpCertificate);
  if (text === null) return null;
  // Sealed by us alone.
  const pair = Value.Parse(Pair, JSON.parse(text));
  return isGoodPair(pair, nowMs) ? pair : null;
}
