import { pick, random } from '../../kill/chance.js';
import type { Operation } from '../run-operations.js';
import { drawImage, drawn, hashOf } from './draw-image.js';
import { importZip } from './import-operation.js';
import { type ImageEntry, type Shown, staying, unfinished } from './ledger.js';
import { ownDataset } from './own-dataset.js';
import { type CustomStage, call, filePart, isAnswered, listOf } from './stage.js';

/** Operations of a client on its datasets. */
export const datasetOperations: readonly Operation<Omit<CustomStage, 'visitor'>>[] = [
  { weight: 5, perform: (stage) => addImages(stage, 1) },
  { weight: 2, perform: (stage) => addImages(stage, 6) },
  { weight: 4, perform: labelImage },
  { weight: 2, perform: renameClass },
  { weight: 2, perform: (stage) => deleteImages(stage, 1) },
  { weight: 1, perform: (stage) => deleteImages(stage, 4) },
  { weight: 2, perform: importZip },
  { weight: 1, perform: deleteDataset },
];

/** More do not improve a round. */
const maxImages = 150;

async function addImages(stage: CustomStage, count: number): Promise<void> {
  const [id, entry] = (await ownDataset(stage)) ?? [];
  if (entry === undefined || staying(entry.images).length >= maxImages) return;
  // By a name that its class may have lost to a renaming without an answer, the images would begin another class.
  const named = [...entry.classes].flatMap(([classId, { names }]) =>
    names.length === 1 ? names.map((name) => ({ classId, name })) : [],
  );
  const label = random() < 0.7 ? pick(named) : undefined;
  const images = await Promise.all(Array.from({ length: count }, () => drawImage(pick(drawn) ?? 'circle')));
  const form = new FormData();
  for (const [index, image] of images.entries()) form.append('file', filePart(image), `${index}.jpg`);
  for (const image of images) entry.sent.add(hashOf(image));
  const query = label === undefined ? '' : `?label=${encodeURIComponent(label.name)}`;
  const added = await call(stage, 'POST', `/api/datasets/${id}/images${query}`, form);
  if (!isAnswered(stage, 'images', added, '200', '503 service_busy')) return;
  for (const [index, verdict] of listOf(added.json['data']).entries()) {
    const sha256 = hashOf(images[index] ?? Buffer.of());
    if (verdict['outcome'] !== 'added')
      stage.ledger.wrong.push(`an image was answered ${JSON.stringify(verdict)}`);
    const shown: Shown = label?.classId ?? 'unsaid';
    entry.images.set(Number(verdict['image_id']), { sha256, shown: [shown], isDeleted: 'no' });
  }
}

async function labelImage(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.datasets)[0] ?? [];
  const [imageId, image] = pick(staying(entry?.images ?? new Map<number, ImageEntry>())) ?? [];
  if (entry === undefined || image === undefined) return;
  const to = pick<Shown>([...entry.classes.keys(), 'none', 'unsaid']) ?? 'none';
  const labels = to === 'unsaid' ? null : to === 'none' ? [] : [{ class_id: to }];
  image.shown = [...image.shown, to];
  const path = `/api/datasets/${id}/images/${imageId}/labels`;
  if (isAnswered(stage, 'labels', await call(stage, 'PUT', path, { labels }), '200')) image.shown = [to];
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

async function deleteImages(stage: CustomStage, count: number): Promise<void> {
  const [id, entry] = staying(stage.ledger.datasets)[0] ?? [];
  const chosen = staying(entry?.images ?? new Map<number, ImageEntry>()).slice(0, count);
  if (chosen.length === 0) return;
  for (const [, image] of chosen) image.isDeleted = 'maybe';
  const ids = chosen.map(([imageId]) => imageId);
  const deleted =
    count === 1
      ? await call(stage, 'DELETE', `/api/datasets/${id}/images/${ids[0]}`)
      : await call(stage, 'POST', `/api/datasets/${id}/images/delete`, { image_ids: ids });
  if (!isAnswered(stage, 'a deletion', deleted, '200')) return;
  if (deleted.json['images'] !== ids.length)
    stage.ledger.wrong.push(
      `a deletion of ${ids.length} images was answered ${JSON.stringify(deleted.json)}`,
    );
  for (const [, image] of chosen) image.isDeleted = 'yes';
}

async function deleteDataset(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.datasets)[0] ?? [];
  // An import into it would fail as it should.
  if (entry === undefined || unfinished(stage.ledger).length > 0 || random() < 0.7) return;
  entry.isDeleted = 'maybe';
  const deleted = await call(stage, 'DELETE', `/api/datasets/${id}`);
  if (isAnswered(stage, 'the deletion of a dataset', deleted, '200')) entry.isDeleted = 'yes';
}
