import { type FaceLedger, ownersNow } from './face-ledger.js';
import { hashOf, type ImageRow, type StoredFaces } from './stored-faces.js';

/** Differences between stored and acknowledged faces. Open outcomes are settled by them, and must stay so. */
export function findLostFaces({ rows, people }: StoredFaces, ledger: FaceLedger): readonly string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lost = [...lostPeople(people, ledger), ...lostImages(byId, ledger)];
  settle(byId, people, ledger);
  return rows.length <= ledger.sent ? lost : [...lost, `${rows.length} face images of ${ledger.sent} sent`];
}

function lostPeople(people: ReadonlySet<number>, ledger: FaceLedger): string[] {
  return [...ledger.people].flatMap(([id, { isMerged }]) =>
    isMerged === 'maybe' || people.has(id) === (isMerged === 'no')
      ? []
      : [`person ${id}: merged ${isMerged}, there ${people.has(id)}`],
  );
}

function lostImages(byId: ReadonlyMap<number, ImageRow>, ledger: FaceLedger): string[] {
  return [...ledger.images].flatMap(([id, { owners, isDeleted, image }]) => {
    const row = byId.get(id);
    if (!row) return isDeleted === 'no' ? [`face image ${id} is gone`] : [];
    if (isDeleted === 'yes') return [`face image ${id} was deleted and is there`];
    const due = ownersNow(ledger, owners);
    const isTheirs = due.includes(row.personId) || (row.keyId !== null && due.includes(row.keyId));
    return [
      ...(isTheirs
        ? []
        : [`face image ${id} is of person ${row.personId} (${row.keyId}), not ${due.join(' or ')}`]),
      ...(row.sha256 === hashOf(image) ? [] : [`face image ${id} has another image than was sent`]),
    ];
  });
}

function settle(byId: ReadonlyMap<number, ImageRow>, people: ReadonlySet<number>, ledger: FaceLedger): void {
  for (const [id, entry] of ledger.people) {
    if (entry.isMerged === 'maybe') entry.isMerged = people.has(id) ? 'no' : 'yes';
  }
  for (const [id, entry] of ledger.images) {
    const row = byId.get(id);
    entry.isDeleted = row ? 'no' : 'yes';
    entry.isBusy = false;
    if (row) entry.owners = [row.personId];
  }
}
