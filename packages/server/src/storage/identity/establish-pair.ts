import { randomUUID } from 'node:crypto';
import type { DataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { shippedSteps } from '../migrations/migrations.js';
import { isDiskFull, StorageError } from '../storage-error.js';
import { restoreSuspensionMs, suspendSweeps } from '../sweep-suspension.js';
import { labelOf, nameInstallation, registerFolder } from './database-identity.js';
import type { Pairing, Verdict } from './decide-pair.js';
import { type FolderIdentity, writeFolderIdentity } from './folder-identity.js';
import { type DatabaseLocation, type PairOptions, requirePair } from './look-at-pair.js';

export type Accepted = Exclude<Verdict, { readonly kind: 'refuse' }>;

/** Each attempt that is overtaken finds a database that knows more; the second one decides. */
const attemptsMax = 5;

/**
 * Writes into a folder and its open, migrated database that they belong together, or one generation more where they do
 * already. Throws where they do not. Of several services that name a new database at once, one does it and the others look again.
 */
export async function establishPair(
  folder: DataFolder,
  database: Database,
  location: Omit<DatabaseLocation, 'look'>,
  options: PairOptions,
  nowMs: number,
): Promise<Pairing> {
  const applied = new Set(Object.keys(shippedSteps));
  const opened: DatabaseLocation = { ...location, look: (work) => work(database.query, applied) };
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const verdict = await requirePair(folder, opened, options);
    const pairing = await writePair(folder, database, verdict, nowMs);
    if (pairing) return pairing;
  }
  throw new StorageError('busy', `The database ${location.shown} is given to another data folder each time.`);
}

/**
 * Null when another service gave the database its name meanwhile. The folder first, with what it is about to write into the database: after a kill at any point, either half is seen for
 * what it is.
 */
export async function writePair(
  folder: DataFolder,
  database: Database,
  verdict: Accepted,
  nowMs: number,
): Promise<Pairing | null> {
  let isRegistered = false;
  try {
    return await writeBoth(folder, database, verdict, nowMs, () => {
      isRegistered = true;
    });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    if (verdict.kind === 'go-on' && verdict.pairing.finding === null) {
      // They belong together, whether a generation is raised or not.
      return isRegistered ? verdict.pairing : { ...verdict.pairing, generation: verdict.known.generation };
    }
    throw new StorageError(
      'full',
      `There is no room on the disk of the data folder ${folder.dir} to write down that it belongs to the database. Make room, then start again.`,
      { cause: error },
    );
  }
}

async function writeBoth(
  folder: DataFolder,
  database: Database,
  verdict: Accepted,
  nowMs: number,
  onRegistered: () => void,
): Promise<Pairing | null> {
  const { before, pairing } = plan(verdict);
  if (pairing.finding !== null) {
    const reason = `${pairing.finding}; see: npm run -s lynceus -- folders list`;
    await suspendSweeps(folder, { untilMs: nowMs + restoreSuspensionMs, reason }, nowMs);
  }
  await writeFolderIdentity(folder, before);
  const { query } = database;
  const { installation, generation, finding } = pairing;
  const row = { uid: pairing.folder, label: labelOf(folder), generation };
  const results = await database.write(
    [
      ...(verdict.kind === 'create' ? [nameInstallation(query, installation, nowMs)] : []),
      registerFolder(query, installation, row, nowMs),
      ...(finding === null
        ? []
        : [query.updateTable('data_folder').set({ finding, found_at: nowMs }).where('uid', '=', row.uid)]),
    ],
    { isSerialized: true },
  );
  const registered = results[verdict.kind === 'create' ? 1 : 0];
  if (registered?.changes !== 1) return null;
  onRegistered();
  await writeFolderIdentity(folder, { installation, folder: row.uid, generation });
  return pairing;
}

/** What the folder knows before the database does, and what both know in the end. */
function plan(verdict: Accepted): { readonly before: FolderIdentity; readonly pairing: Pairing } {
  if (verdict.kind === 'go-on') {
    const { pairing, known } = verdict;
    return { before: { ...known, next: pairing.generation }, pairing };
  }
  const { finding } = verdict;
  const known = (verdict.kind === 'create' ? verdict.kept : null) ?? {
    installation: verdict.kind === 'join' ? verdict.installation : randomUUID(),
    folder: randomUUID(),
    generation: 0,
  };
  const generation = Math.max(known.generation, known.next ?? 0) + 1;
  const { installation, folder } = known;
  return {
    before: { installation, folder, generation: known.generation, next: generation },
    pairing: { installation, folder, generation, finding },
  };
}
