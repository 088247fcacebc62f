import { pick } from '../../kill/chance.js';
import { type ModelEntry, staying } from './ledger.js';
import { type CustomStage, call, isAnswered } from './stage.js';

/** The client's model, created when missing. */
export async function ownModel(stage: CustomStage): Promise<readonly [number, ModelEntry] | undefined> {
  const found = staying(stage.ledger.models)[0];
  if (found !== undefined) return found;
  const made = await call(stage, 'POST', '/api/models', { name: 'of a client', task: 'classification' });
  if (!isAnswered(stage, 'a model', made, '201')) return undefined;
  const entry: ModelEntry = { versions: new Map(), current: [null], isDeleted: 'no' };
  stage.ledger.models.set(Number(made.json['model_id']), entry);
  return [Number(made.json['model_id']), entry];
}

/** With everything that belongs to it: its jobs are removed from the ledger too. */
export async function deleteModel(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.models)[0] ?? [];
  if (entry === undefined) return;
  entry.isDeleted = 'maybe';
  const deleted = await call(stage, 'DELETE', `/api/models/${id}`);
  if (isAnswered(stage, 'the deletion of a model', deleted, '200')) entry.isDeleted = 'yes';
}

/** Another version is active, or one that was before. */
export async function switchVersion(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.models)[0] ?? [];
  const numbers = entry ? staying(entry.versions).map(([number]) => number) : [];
  const number = pick(numbers);
  if (entry === undefined || number === undefined) return;
  const before = entry.current;
  entry.current = [...before, number];
  const switched = await call(stage, 'PUT', `/api/models/${id}/version`, { number });
  if (isAnswered(stage, 'a switch', switched, '200')) entry.current = [number];
}

export async function deleteVersion(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.models)[0] ?? [];
  // The active version has to be known: that one stays.
  const [current] = entry?.current.length === 1 ? entry.current : [];
  if (entry === undefined || typeof current !== 'number') return;
  const [number, version] = staying(entry.versions).find(([other]) => other !== current) ?? [];
  if (version === undefined) return;
  version.isDeleted = 'maybe';
  const deleted = await call(stage, 'DELETE', `/api/models/${id}/versions/${number}`);
  if (isAnswered(stage, 'the deletion of a version', deleted, '204')) version.isDeleted = 'yes';
}
