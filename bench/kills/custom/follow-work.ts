import { readObject } from '../../load/told.js';
import type { WorkEntry } from './ledger.js';
import { type CustomStage, call, isAnswered } from './stage.js';

/** Looks whether a job has ended, and writes down how. */
export async function followWork(
  stage: CustomStage,
  [id, entry]: readonly [string, WorkEntry],
): Promise<void> {
  const { told, json } = await call(stage, 'GET', `/api/jobs/${id}`);
  if (!isAnswered(stage, `the ${entry.kind} ${id}`, { told, json }, '200') || json['ended_at'] === null)
    return;
  entry.end = { state: String(json['state']), result: readObject(json['result']), error: json['error'] };
}
