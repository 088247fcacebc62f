import type { Act } from '../acting.js';
import { pick } from '../pick.js';
import { drawn, drawPicture, hashOf } from './draw-picture.js';
import { importZip } from './import-act.js';
import { type PictureEntry, type Shown, staying, unfinished } from './ledger.js';
import { ownDataset } from './own-dataset.js';
import { type CustomStage, call, filePart, isAnswered, listOf } from './stage.js';

/** What one client does with its datasets. */
export const datasetActs: readonly Act<Omit<CustomStage, 'visitor'>>[] = [
  { weight: 5, perform: (stage) => addPictures(stage, 1) },
  { weight: 2, perform: (stage) => addPictures(stage, 6) },
  { weight: 4, perform: label },
  { weight: 2, perform: renameClass },
  { weight: 2, perform: (stage) => deletePictures(stage, 1) },
  { weight: 1, perform: (stage) => deletePictures(stage, 4) },
  { weight: 2, perform: importZip },
  { weight: 1, perform: deleteDataset },
];

/** More than these make a round no better. */
const maxPictures = 150;

async function addPictures(stage: CustomStage, count: number): Promise<void> {
  const [id, entry] = (await ownDataset(stage)) ?? [];
  if (entry === undefined || staying(entry.pictures).length >= maxPictures) return;
  const [
    classId,
    {
      names: [name],
    } = { names: [] },
  ] = pick([...entry.classes]) ?? [];
  const isLabelled = name !== undefined && Math.random() < 0.7;
  const pictures = await Promise.all(
    Array.from({ length: count }, () => drawPicture(pick(drawn) ?? 'circle')),
  );
  const form = new FormData();
  for (const [index, picture] of pictures.entries()) form.append('file', filePart(picture), `${index}.jpg`);
  for (const picture of pictures) entry.sent.add(hashOf(picture));
  const query = isLabelled ? `?label=${encodeURIComponent(name)}` : '';
  const added = await call(stage, 'POST', `/api/datasets/${id}/pictures${query}`, form);
  if (!isAnswered(stage, 'pictures', added, '200', '503 service_busy')) return;
  for (const [index, verdict] of listOf(added.json['data']).entries()) {
    const sha256 = hashOf(pictures[index] ?? Buffer.of());
    if (verdict['outcome'] !== 'added')
      stage.ledger.wrong.push(`a picture was answered ${JSON.stringify(verdict)}`);
    const shown: Shown = isLabelled && classId !== undefined ? classId : 'unsaid';
    entry.pictures.set(Number(verdict['picture_id']), { sha256, shown: [shown], isDeleted: 'no' });
  }
}

async function label(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.datasets)[0] ?? [];
  const [pictureId, picture] = pick(staying(entry?.pictures ?? new Map<number, PictureEntry>())) ?? [];
  if (entry === undefined || picture === undefined) return;
  const to = pick<Shown>([...entry.classes.keys(), 'none', 'unsaid']) ?? 'none';
  const labels = to === 'unsaid' ? null : to === 'none' ? [] : [{ class_id: to }];
  picture.shown = [...picture.shown, to];
  const path = `/api/datasets/${id}/pictures/${pictureId}/labels`;
  if (isAnswered(stage, 'labels', await call(stage, 'PUT', path, { labels }), '200')) picture.shown = [to];
}

async function renameClass(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.datasets)[0] ?? [];
  const [classId, named] = pick([...(entry?.classes ?? [])]) ?? [];
  if (named === undefined) return;
  const name = `renamed at ${performance.now()}`;
  named.names = [...named.names, name];
  const renamed = await call(stage, 'PATCH', `/api/datasets/${id}/classes/${classId}`, { name });
  if (isAnswered(stage, 'a renaming', renamed, '200')) named.names = [name];
}

async function deletePictures(stage: CustomStage, count: number): Promise<void> {
  const [id, entry] = staying(stage.ledger.datasets)[0] ?? [];
  const chosen = staying(entry?.pictures ?? new Map<number, PictureEntry>()).slice(0, count);
  if (chosen.length === 0) return;
  for (const [, picture] of chosen) picture.isDeleted = 'maybe';
  const ids = chosen.map(([pictureId]) => pictureId);
  const deleted =
    count === 1
      ? await call(stage, 'DELETE', `/api/datasets/${id}/pictures/${ids[0]}`)
      : await call(stage, 'POST', `/api/datasets/${id}/pictures/delete`, { picture_ids: ids });
  if (!isAnswered(stage, 'a deletion', deleted, '200')) return;
  if (deleted.json['pictures'] !== ids.length)
    stage.ledger.wrong.push(
      `a deletion of ${ids.length} pictures was answered ${JSON.stringify(deleted.json)}`,
    );
  for (const [, picture] of chosen) picture.isDeleted = 'yes';
}

async function deleteDataset(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.datasets)[0] ?? [];
  // An import into it would fail for a good reason.
  if (entry === undefined || unfinished(stage.ledger).length > 0 || Math.random() < 0.7) return;
  entry.isDeleted = 'maybe';
  const deleted = await call(stage, 'DELETE', `/api/datasets/${id}`);
  if (isAnswered(stage, 'the deletion of a dataset', deleted, '200')) entry.isDeleted = 'yes';
}
