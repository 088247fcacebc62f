import { type CustomLedger, type ModelEntry, unfinished } from './ledger.js';
import type { CustomStage } from './stage.js';
import type { StoredCustom, VersionRow } from './stored-custom.js';

/** Differences between stored and acknowledged models. Open outcomes are settled by them, and must stay so. */
export async function findLostModels(
  stored: StoredCustom,
  ledger: Pick<CustomLedger, 'models' | 'works'>,
  digestVersion: CustomStage['digestVersion'],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const [id, entry] of ledger.models) {
    const row = stored.models.get(id);
    if (entry.isDeleted !== 'maybe' && (row !== undefined) !== (entry.isDeleted === 'no'))
      lost.push(`model ${id}: deleted ${entry.isDeleted}, there ${row !== undefined}`);
    entry.isDeleted = row ? 'no' : 'yes';
    const versions = stored.versions.filter(({ modelId }) => modelId === id);
    if (!row) {
      for (const version of entry.versions.values()) version.isDeleted = 'yes';
      if (versions.length > 0) lost.push(`${versions.length} versions of model ${id} outlived it`);
      continue;
    }
    const isTraining = unfinished(ledger).some(
      ([, { kind, subject }]) => kind === 'training' && subject === id,
    );
    lost.push(...wrongCurrent(id, entry, row.version, isTraining));
    for (const words of lostVersions(entry, versions)) lost.push(`model ${id}: ${words}`);
    if (row.version !== null && !versions.some(({ number }) => number === row.version))
      lost.push(`version ${row.version} of model ${id} predicts and is not there`);
    for (const words of await damagedVersions(entry, versions, digestVersion))
      lost.push(`model ${id}: ${words}`);
  }
  return lost;
}

function wrongCurrent(id: number, entry: ModelEntry, current: number | null, isTraining: boolean): string[] {
  const { current: due, versions } = entry;
  const isUnheard = due.includes('unheard') && current !== null && !versions.has(current);
  // A running training job may activate its version at any time.
  entry.current = isTraining ? [current, 'unheard'] : [current];
  return isUnheard || due.includes(current)
    ? []
    : [`version ${current} of model ${id} predicts, not ${due.join(' or ')}`];
}

function lostVersions(entry: ModelEntry, rows: readonly VersionRow[]): string[] {
  const there = new Set(rows.map(({ number }) => number));
  return [...entry.versions].flatMap(([number, version]) => {
    const { isDeleted } = version;
    version.isDeleted = there.has(number) ? 'no' : 'yes';
    if (isDeleted === 'no' && !there.has(number)) return [`version ${number} is gone`];
    return isDeleted === 'yes' && there.has(number) ? [`version ${number} was deleted and is there`] : [];
  });
}

/** Versions whose creation was never answered are known from here on. */
async function damagedVersions(
  entry: ModelEntry,
  rows: readonly VersionRow[],
  digestVersion: CustomStage['digestVersion'],
): Promise<string[]> {
  const damaged: string[] = [];
  for (const { number, uid, labels } of rows) {
    const digest = await digestVersion(uid);
    const known = entry.versions.get(number);
    if (digest === null) damaged.push(`version ${number} has no files`);
    else if (known?.digest && known.digest !== digest)
      damaged.push(`version ${number} has other files than before`);
    entry.versions.set(number, { uid, labels, digest: known?.digest ?? digest, isDeleted: 'no' });
  }
  return damaged;
}
