import type { Selectable, Updateable } from 'kysely';
import { checkName } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { quote } from '../core/quote.js';
import { ServiceError } from '../core/service-error.js';
import { createAccountRows } from '../storage/account-rows.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import type { Calibration, Perception, PerceptionSettings } from './perception.js';

export function createPerceptionRows(deps: { readonly database: Database; readonly clock: Clock }) {
  return createAccountRows({
    ...deps,
    table: 'perception',
    kind: 'model',
    toItem: toPerception,
    notFound: (id) => noSuchPerception(String(id)),
  });
}

/** With the embedder that it was measured with. */
export function toCalibrationColumn(calibration: Calibration | null, embedder: string): string | null {
  return calibration === null ? null : JSON.stringify({ ...calibration, embedder });
}

/** Null where it was measured with another embedder than the one in use: it rests until that is in use again. */
function readCalibration({
  calibration,
  embedder,
}: Pick<Selectable<Schema['perception']>, 'calibration' | 'embedder'>): Calibration | null {
  if (calibration === null) return null;
  // Written by us alone.
  const { embedder: measured, ...curve }: Calibration & { embedder: string } = JSON.parse(calibration);
  return measured === embedder ? curve : null;
}

export function toSettingsColumns(settings: PerceptionSettings) {
  return {
    name: checkName('name', settings.name),
    decision_similarity: settings.decisionSimilarity,
    wants_liveness: settings.wantsLiveness ? 1 : 0,
    names_recognition: settings.namesRecognition ? 1 : 0,
    refused_problems: JSON.stringify(settings.refusedProblems),
  } as const;
}

/** Only what is to change. */
export function toPerceptionColumns(change: Partial<PerceptionSettings>): Updateable<Schema['perception']> {
  const { name, decisionSimilarity, wantsLiveness, namesRecognition, refusedProblems } = change;
  return {
    ...(name === undefined ? {} : { name: checkName('name', name) }),
    ...(decisionSimilarity === undefined ? {} : { decision_similarity: decisionSimilarity }),
    ...(wantsLiveness === undefined ? {} : { wants_liveness: wantsLiveness ? 1 : 0 }),
    ...(namesRecognition === undefined ? {} : { names_recognition: namesRecognition ? 1 : 0 }),
    ...(refusedProblems === undefined ? {} : { refused_problems: JSON.stringify(refusedProblems) }),
  };
}

export function toPerception(row: Selectable<Schema['perception']>): Perception {
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    decisionSimilarity: row.decision_similarity,
    wantsLiveness: row.wants_liveness === 1,
    namesRecognition: row.names_recognition === 1,
    // Written by us alone.
    refusedProblems: JSON.parse(row.refused_problems),
    calibration: readCalibration(row),
    embedder: row.embedder,
    createdAt: row.created_at,
  };
}

export function noSuchPerception(reference: string): ServiceError {
  return new ServiceError('invalid_model', `model_id ${quote(reference)} is not one of your perceptions`);
}
