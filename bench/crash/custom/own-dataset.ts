import { drawn } from './draw-image.js';
import { type DatasetEntry, staying } from './ledger.js';
import { type CustomStage, call, isAnswered } from './stage.js';

/** The client's dataset, created when missing. */
export async function ownDataset(stage: CustomStage): Promise<readonly [number, DatasetEntry] | undefined> {
  const found = staying(stage.ledger.datasets)[0];
  if (found !== undefined) return found;
  const body = { name: 'drawings', task: 'classification' };
  const made = await call(stage, 'POST', '/api/datasets', body);
  if (!isAnswered(stage, 'a dataset', made, '201')) return undefined;
  const entry: DatasetEntry = { classes: new Map(), images: new Map(), sent: new Set(), isDeleted: 'no' };
  const id = Number(made.json['id']);
  stage.ledger.datasets.set(id, entry);
  for (const name of drawn) {
    const added = await call(stage, 'POST', `/api/datasets/${id}/classes`, { name });
    if (isAnswered(stage, 'a class', added, '201'))
      entry.classes.set(Number(added.json['id']), { names: [name] });
  }
  return [id, entry];
}
