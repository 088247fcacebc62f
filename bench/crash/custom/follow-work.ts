import { readObject } from '../../load/outcome.js';
import type { WorkEntry } from './ledger.js';
import { type CustomStage, call, isAnswered } from './stage.js';

/** Checks whether a job has ended, and records how; returns its state as text. */
export async function followWork(
  stage: CustomStage,
  [id, entry]: readonly [string, WorkEntry],
): Promise<string> {
  const { outcome, json } = await call(stage, 'GET', `/api/jobs/${id}`);
  const isThere = isAnswered(stage, `the ${entry.kind} ${id}`, { outcome, json }, '200');
  if (isThere && json['ended_at'] !== null) {
    entry.end = { state: String(json['state']), result: readObject(json['result']), error: json['error'] };
  }
  return `${outcome} ${JSON.stringify(json)}`;
}
