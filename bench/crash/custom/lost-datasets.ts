import type { CustomLedger, DatasetEntry } from './ledger.js';
import type { StoredCustom } from './stored-custom.js';

/** Differences between stored and acknowledged datasets. Open outcomes are settled by them, and must stay so. */
export function findLostDatasets(
  stored: StoredCustom,
  ledger: Pick<CustomLedger, 'datasets'>,
): readonly string[] {
  const lost: string[] = [];
  for (const [id, entry] of ledger.datasets) {
    const isThere = stored.datasets.has(id);
    if (entry.isDeleted !== 'maybe' && isThere !== (entry.isDeleted === 'no'))
      lost.push(`dataset ${id}: deleted ${entry.isDeleted}, there ${isThere}`);
    entry.isDeleted = isThere ? 'no' : 'yes';
    const rows = [...stored.images].filter(([, { datasetId }]) => datasetId === id);
    if (!isThere) {
      if (rows.length > 0) lost.push(`${rows.length} images of dataset ${id} outlived it`);
      continue;
    }
    lost.push(...lostClasses(stored, entry), ...lostImages(stored, entry));
    const hashes = rows.map(([, { sha256 }]) => sha256);
    if (new Set(hashes).size < hashes.length) lost.push(`dataset ${id} has an image twice`);
    const unsent = hashes.filter((sha256) => !entry.sent.has(sha256));
    if (unsent.length > 0) lost.push(`dataset ${id} has ${unsent.length} images that were never sent`);
  }
  return lost;
}

function lostClasses({ classes }: StoredCustom, entry: DatasetEntry): string[] {
  return [...entry.classes].flatMap(([id, named]) => {
    const name = classes.get(id);
    const { names } = named;
    if (name !== undefined) named.names = [name];
    if (name === undefined) return [`class ${id} is gone`];
    return names.includes(name) ? [] : [`class ${id} is named ${name}, not ${names.join(' or ')}`];
  });
}

function lostImages({ images }: StoredCustom, entry: DatasetEntry): string[] {
  return [...entry.images].flatMap(([id, image]) => {
    const row = images.get(id);
    const { isDeleted, shown, sha256 } = image;
    image.isDeleted = row ? 'no' : 'yes';
    if (row) image.shown = [row.shown];
    if (!row) return isDeleted === 'no' ? [`image ${id} is gone`] : [];
    if (isDeleted === 'yes') return [`image ${id} was deleted and is there`];
    return [
      ...(shown.includes(row.shown) ? [] : [`image ${id} shows ${row.shown}, not ${shown.join(' or ')}`]),
      ...(row.sha256 === sha256 ? [] : [`image ${id} is another one than was sent`]),
    ];
  });
}
