import { zipOf } from '#server/training/datasets/fixtures/zips.js';
import { drawImage, drawn, hashOf } from './draw-image.js';
import { followWork } from './follow-work.js';
import { unfinished } from './ledger.js';
import { ownDataset } from './own-dataset.js';
import { type CustomStage, call, filePart, isAnswered } from './stage.js';

const imagesOfZip = 20;

/** Imports a zip of images into the client's dataset, as a job; while one runs, its state is read instead. */
export async function importZip(stage: CustomStage): Promise<void> {
  const [going] = unfinished(stage.ledger);
  if (going) {
    await followWork(stage, going);
    return;
  }
  const [id, entry] = (await ownDataset(stage)) ?? [];
  if (entry === undefined) return;
  const files: Record<string, Buffer> = {};
  for (let index = 0; index < imagesOfZip; index += 1) {
    const shape = drawn[index % 2] ?? 'circle';
    files[`of a zip, ${shape}/${index}.jpg`] = await drawImage(shape);
  }
  const imported = Object.values(files).map(hashOf);
  for (const sha256 of imported) entry.sent.add(sha256);
  const form = new FormData();
  form.set('file', filePart(await zipOf(files)), 'drawings.zip');
  const begun = await call(stage, 'POST', `/api/datasets/${id}/import`, form);
  // An import that an earlier service received and never answered.
  if (!isAnswered(stage, 'an import', begun, '202', '409 conflict')) return;
  stage.ledger.works.set(String(begun.json['id']), {
    kind: 'import',
    subject: id ?? 0,
    imported,
    crashes: 0,
    end: null,
  });
}
