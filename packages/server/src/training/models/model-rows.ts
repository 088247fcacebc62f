import type { Selectable } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import { createAccountRows } from '../../storage/account-rows.js';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import type { Model, ModelVersion, VersionHead } from './model.js';

export function createModelRows(deps: { readonly database: Database; readonly clock: Clock }) {
  return createAccountRows({ ...deps, table: 'model', kind: 'model', toItem: toModel, notFound: noModel });
}

function toModel(row: Selectable<Schema['model']>): Model {
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    description: row.description,
    task: row.task,
    datasetId: row.dataset_id,
    version: row.version,
    createdAt: row.created_at,
  };
}

export const versionHeadColumns = [
  'model_id',
  'number',
  'uid',
  'origin',
  'bytes',
  'job_id',
  'created_at',
  'one_label',
] as const satisfies readonly (keyof Schema['model_version'])[];

export function toVersionHead(
  row: Pick<Selectable<Schema['model_version']>, (typeof versionHeadColumns)[number]>,
): VersionHead {
  return {
    modelId: row.model_id,
    number: row.number,
    uid: row.uid,
    origin: row.origin,
    bytes: row.bytes,
    jobId: row.job_id,
    createdAt: row.created_at,
    oneLabel: row.one_label === 1,
  };
}

export function toVersion(
  row: Pick<Selectable<Schema['model_version']>, (typeof versionHeadColumns)[number] | 'labels'>,
): ModelVersion {
  // Written by us alone.
  return { ...toVersionHead(row), labels: JSON.parse(row.labels) };
}

export function noModel(id: number): ServiceError {
  return new ServiceError('not_found', `${id} is not one of your models`);
}

export function noVersion(modelId: number, number: number): ServiceError {
  return new ServiceError('not_found', `model ${modelId} has no version ${number}`);
}
