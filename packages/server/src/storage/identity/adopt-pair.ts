import { type DataFolder, prepareDataFolder } from '../data-folder.js';
import { lockDataFolder } from '../folder-lock.js';
import { databaseLocation, openForService, type StorageOptions } from '../open-storage.js';
import { refuseDuringRestore } from '../restore/restore-marker.js';
import { StorageError } from '../storage-error.js';
import type { Comparison } from './compare-files.js';
import { decidePair, type Halves } from './decide-pair.js';
import { type Accepted, writePair } from './establish-pair.js';
import { readHalves } from './look-at-pair.js';
import { describeAgreement } from './match.js';

/** Both halves as they are, for whoever decides. */
export interface PairView {
  readonly folder: string | null;
  readonly database: string | null;
  readonly databaseShown: string;
  readonly comparison: Comparison;
  /** Whether a service starts on them as they are. */
  readonly isPair: boolean;
}

type Address = Pick<StorageOptions, 'databaseUrl'>;

/** Changes nothing, and works beside a running service. */
export async function viewPair(folder: DataFolder, options: Address): Promise<PairView> {
  await refuseDuringRestore(folder);
  const location = databaseLocation(folder, options);
  return readHalves(folder, location, { mayJoin: false, mayReturn: false }, async (halves) => {
    requireAccounts(halves, location.shown);
    return {
      folder: halves.folder?.installation ?? null,
      database: halves.database.installation,
      databaseShown: location.shown,
      comparison: await halves.compare(),
      isPair: (await decidePair(halves)).kind !== 'refuse',
    };
  });
}

/**
 * Declares that a folder and a database belong together, whatever they know of themselves. No service may run on the folder. No
 * file is touched, and sweeps are suspended.
 */
export async function adoptPair(folder: DataFolder, options: Address, nowMs: number): Promise<void> {
  await refuseDuringRestore(folder);
  const location = databaseLocation(folder, options);
  const verdict = await readHalves(folder, location, { mayJoin: true, mayReturn: true }, async (halves) => {
    requireAccounts(halves, location.shown);
    return adoptionOf(halves);
  });
  prepareDataFolder(folder);
  const lock = await lockDataFolder(folder, 1000);
  try {
    await refuseDuringRestore(folder);
    const { database } = await openForService(folder, options);
    try {
      const pairing = await writePair(folder, database, verdict, nowMs);
      if (!pairing)
        throw new StorageError('busy', `${location.shown} was named meanwhile; run the command again.`);
      if (!location.isSqlite) return;
      const { query } = database;
      await database.write([
        query
          .updateTable('data_folder')
          .set({ retired_at: nowMs })
          .where('uid', '!=', pairing.folder)
          .where('retired_at', 'is', null),
      ]);
    } finally {
      await database.close();
    }
  } finally {
    lock.release();
  }
}

/** The database's id counts, since other folders may have it too; the folder's where the database has none. */
async function adoptionOf(halves: Halves): Promise<Accepted> {
  const finding = `adopted by an operator: ${describeAgreement(await halves.compare())}`;
  const verdict = await decidePair(halves);
  if (verdict.kind === 'go-on') return { ...verdict, pairing: { ...verdict.pairing, finding } };
  const { installation } = halves.database;
  if (installation !== null) return { kind: 'join', installation, finding };
  return { kind: 'create', kept: halves.folder, finding };
}

function requireAccounts({ database }: Halves, shown: string): void {
  if (database.hasAccounts) return;
  throw new StorageError(
    'access',
    `There is nothing to adopt: the database ${shown} is missing or empty. Restore a backup of it, or begin a new ` +
      'installation with an empty data folder (LYNCEUS_DATA_DIR).',
  );
}
