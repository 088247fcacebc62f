import { type ImportRecord, readImportRecord } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { toAnswer } from '../../../http/api/answer.js';
import { Time } from '../../../http/api/fields.js';
import { fromImportOptions, ImportOptionsResponse } from '../import-options.js';
import type { Model, ModelVersion, VersionHead, Versions } from '../model.js';
import type { ModelStore } from '../model-store.js';

const head = {
  number: Type.Integer({ examples: [1] }),
  uid: Type.String({ description: 'what a kept analysis names it by' }),
  origin: Type.Enum(['training', 'upload']),
  is_current: Type.Boolean({ description: 'whether it is the one that predicts' }),
  model_bytes: Type.Integer({ description: 'of its model.onnx' }),
  job_id: Type.Union([Type.String(), Type.Null()], { description: 'the job that trained it' }),
  created_at: Time,
  one_label: Type.Boolean({
    description: 'whether an object gets one label only; false for a classifier',
  }),
};
export const Version = Type.Object(head, { title: 'ModelVersion', description: 'The version' });

const Import = Type.Object(
  {
    format: Type.String({ description: 'onnx, tflite, tfjs or tfjs-layers' }),
    files: Type.Array(Type.String(), { description: 'as they were uploaded' }),
    options: ImportOptionsResponse,
    notes: Type.Array(Type.String(), { description: 'what was found or assumed, one sentence each' }),
    trial_ms: Type.Number({ description: 'median of a run on one thread' }),
    trial_mb: Type.Number({ description: 'memory of the process that tried it, in MiB' }),
  },
  { title: 'ModelImport', description: 'how the file was understood' },
);
export const ReadVersion = Type.Object(
  {
    ...head,
    labels: Type.Array(Type.String(), { description: 'in the order of the outputs' }),
    import: Type.Union([Import, Type.Null()], { description: 'of an upload' }),
  },
  { title: 'ReadModelVersion', description: 'The version, with its classes' },
);

export function toVersionHead(model: Pick<Model, 'version'>, version: VersionHead): Static<typeof Version> {
  const { number, bytes } = version;
  return toAnswer(Version, version, { is_current: number === model.version, model_bytes: bytes });
}

/** A version as it is answered, with how its file was understood where it was uploaded. */
export async function readWithRecord(
  { models, versions }: Pick<ModelStore, 'models' | 'versions'>,
  accountId: number,
  version: ModelVersion,
): Promise<Static<typeof ReadVersion>> {
  const record = version.origin === 'upload' ? await readRecord(versions, version) : null;
  return {
    ...toVersionHead(await models.read(accountId, version.modelId), version),
    labels: version.labels.map(({ title }) => title),
    import: record && {
      format: record.format,
      files: [...record.sources],
      options: fromImportOptions(record.options),
      notes: [...record.notes],
      trial_ms: record.trial.ms,
      trial_mb: record.trial.mb,
    },
  };
}

/** How the file of an upload was understood. */
async function readRecord(versions: Pick<Versions, 'hold'>, version: ModelVersion): Promise<ImportRecord> {
  const { path, release } = await versions.hold(version);
  return readImportRecord(path).finally(release);
}
