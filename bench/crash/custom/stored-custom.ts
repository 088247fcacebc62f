import type { Storage } from '#server/storage/open-storage.js';
import type { Shown } from './ledger.js';

/** Datasets and models in the database. */
export interface StoredCustom {
  readonly datasets: ReadonlySet<number>;
  /** Names by id. */
  readonly classes: ReadonlyMap<number, string>;
  readonly images: ReadonlyMap<number, ImageRow>;
  readonly models: ReadonlyMap<number, { readonly version: number | null }>;
  readonly versions: readonly VersionRow[];
  /** Training runs that have not ended. */
  readonly trainings: readonly { readonly jobId: string; readonly modelId: number }[];
}

export interface ImageRow {
  readonly datasetId: number;
  readonly sha256: string;
  readonly blobId: string;
  readonly shown: Shown;
}

export interface VersionRow {
  readonly modelId: number;
  readonly number: number;
  readonly uid: string;
  readonly labels: readonly string[];
  readonly jobId: string | null;
}

/** Of the account whose ids these are: all of them are one account's. */
export async function readStoredCustom({
  database: { query },
}: Pick<Storage, 'database'>): Promise<StoredCustom> {
  const datasets = await query.selectFrom('dataset').select('id').where('deleted_at', 'is', null).execute();
  const classes = await query.selectFrom('dataset_class').select(['id', 'name']).execute();
  const images = await query
    .selectFrom('dataset_image')
    .leftJoin('dataset_label', (join) =>
      join
        .onRef('dataset_label.account_id', '=', 'dataset_image.account_id')
        .onRef('dataset_label.image_id', '=', 'dataset_image.id'),
    )
    .select([
      'id',
      'dataset_id as datasetId',
      'image_sha256 as sha256',
      'blob_id as blobId',
      'labelled',
      'class_id as classId',
    ])
    .execute();
  // One that is hidden is gone for whoever asks, although its deletion was cut short.
  const models = await query
    .selectFrom('model')
    .select(['id', 'version'])
    .where('deleted_at', 'is', null)
    .execute();
  const versions = await query
    .selectFrom('model_version')
    .select(['model_id as modelId', 'number', 'uid', 'labels', 'job_id as jobId'])
    .execute();
  const trainings = await query
    .selectFrom('job')
    .select(['id', 'subject'])
    .where('kind', '=', 'train-model')
    .where('ended_at', 'is', null)
    .execute();
  return {
    trainings: trainings.map(({ id, subject }) => ({ jobId: id, modelId: Number(subject) })),
    datasets: new Set(datasets.map(({ id }) => id)),
    classes: new Map(classes.map(({ id, name }) => [id, name])),
    images: new Map(
      images.map(({ id, labelled, classId, ...row }) => {
        const shown: Shown = classId ?? (labelled === 1 ? 'none' : 'unsaid');
        return [id, { ...row, shown }];
      }),
    ),
    models: new Map(models.map(({ id, version }) => [id, { version }])),
    versions: versions.map(({ labels, ...row }) => ({ ...row, labels: titlesOf(JSON.parse(labels)) })),
  };
}

function titlesOf(labels: readonly { readonly title: string }[]): string[] {
  return labels.map(({ title }) => title);
}
