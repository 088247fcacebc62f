import { sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { toPage } from '../../storage/page.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Model, ModelVersion, NewVersion, Versions } from './model.js';
import { noModel, noVersion, toVersion, toVersionHead, versionHeadColumns } from './model-rows.js';
import type { Models } from './models.js';
import { readManifest, type VersionFiles } from './version-files.js';

interface VersionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly models: Pick<Models, 'read'>;
  readonly files: VersionFiles;
}

export function createVersions({ database, clock, models, files }: VersionsDeps): Versions {
  const { query } = database;
  const of = (accountId: number) =>
    query
      .selectFrom('model_version')
      .innerJoin('model', (join) =>
        join
          .onRef('model.account_id', '=', 'model_version.account_id')
          .onRef('model.id', '=', 'model_version.model_id'),
      )
      .where('model.account_id', '=', accountId)
      .where('model.deleted_at', 'is', null);
  const columns = versionHeadColumns.map((name) => `model_version.${name}` as const);

  const ofJob = async (accountId: number, jobId: string): Promise<ModelVersion | null> => {
    const row = await of(accountId)
      .select([...columns, 'model_version.labels'])
      .where('model_version.job_id', '=', jobId)
      .executeTakeFirst();
    return row ? toVersion(row) : null;
  };

  /** What to answer where there is no such version: where the model is missing too, that. */
  const missing = async (accountId: number, modelId: number, number: number): Promise<ServiceError> => {
    await models.read(accountId, modelId);
    return noVersion(modelId, number);
  };

  const read = async (accountId: number, modelId: number, number: number): Promise<ModelVersion> => {
    const row = await of(accountId)
      .select([...columns, 'model_version.labels'])
      .where('model.id', '=', modelId)
      .where('number', '=', number)
      .executeTakeFirst();
    if (!row) throw await missing(accountId, modelId, number);
    return toVersion(row);
  };

  /** The row, in one unit with what becomes of the model. */
  const insert = async (
    accountId: number,
    modelId: number,
    { origin, report, jobId, datasetId, isActivated, fence }: NewVersion,
    { uid, bytes, labels }: Pick<ModelVersion, 'uid' | 'bytes' | 'labels'>,
  ): Promise<number> => {
    const [, made] = await database.write([
      query
        .updateTable('model')
        .set({
          last_version: sql<number>`last_version + 1`,
          ...(isActivated ? { version: sql<number>`last_version + 1` } : {}),
          ...(datasetId === null ? {} : { dataset_id: datasetId }),
        })
        .where('account_id', '=', accountId)
        .where('id', '=', modelId)
        .where('deleted_at', 'is', null),
      query
        .insertInto('model_version')
        .values({
          account_id: accountId,
          model_id: modelId,
          // Nothing, which no number may be, where the model was removed meanwhile.
          number: sql<number>`(select last_version from model where account_id = ${accountId} and id = ${modelId} and deleted_at is null)`,
          uid,
          origin,
          bytes,
          labels: JSON.stringify(labels),
          report: report === null ? null : JSON.stringify(report),
          job_id: jobId,
          created_at: clock(),
          one_label: sql<number>`coalesce((select one_label from model_version where account_id = ${accountId} and model_id = ${modelId} order by number desc limit 1), 0)`,
        })
        .returning('number'),
      ...fence,
    ]);
    return Number(made?.rows[0]?.['number']);
  };

  const keep = async (
    accountId: number,
    model: Pick<Model, 'id' | 'uid' | 'task'>,
    version: NewVersion,
  ): Promise<ModelVersion> => {
    const uid = files.uidOf(version.draft);
    const manifest = { ...(await readManifest(version.draft, model.task)), id: model.uid, version: uid };
    const bytes = await files.keep(version.draft, manifest);
    try {
      const { labels } = manifest;
      const number = await insert(accountId, model.id, version, { uid, bytes, labels });
      return await read(accountId, model.id, number);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // Of any other failure nobody knows whether the row is there; the sweep does.
      if (error.code !== 'unique' && error.code !== 'not-null') throw error;
      await files.remove(uid);
      if (error.code === 'not-null') throw noModel(model.id);
      const made = version.jobId === null ? null : await ofJob(accountId, version.jobId);
      if (made === null) throw error;
      return made;
    }
  };

  return {
    read,
    draft: (accountId) => files.draft(accountId),
    async hold({ uid }) {
      const held = await files.hold(uid);
      if (held) return held;
      throw new StorageError(
        'damaged',
        `${files.placeOf(uid)} is not in the bucket: bring it back, or run "lynceus blobs copy --to bucket" where it is in the data folder.`,
      );
    },
    ref: (model, { uid }) => ({ id: model.uid, version: uid, dir: files.folder(uid) }),

    async add(accountId, modelId, version) {
      try {
        const made = version.jobId === null ? null : await ofJob(accountId, version.jobId);
        return made ?? (await keep(accountId, await models.read(accountId, modelId), version));
      } finally {
        await files.discard(version.draft);
      }
    },

    async list(accountId, modelId, { limit, after }) {
      await models.read(accountId, modelId);
      let rows = of(accountId).select(columns).where('model.id', '=', modelId);
      if (after !== undefined) rows = rows.where('number', '<', after);
      const found = await rows
        .orderBy('number', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toVersionHead), limit, ({ number }) => number);
    },

    async report(accountId, modelId, number) {
      const row = await of(accountId)
        .select('model_version.report')
        .where('model.id', '=', modelId)
        .where('number', '=', number)
        .executeTakeFirst();
      if (!row) throw await missing(accountId, modelId, number);
      // Written by us alone.
      return row.report === null ? null : JSON.parse(row.report);
    },

    async activate(accountId, modelId, number) {
      const [switched] = await database.write(
        [
          query
            .updateTable('model')
            .set({ version: number })
            .where('account_id', '=', accountId)
            .where('id', '=', modelId)
            .where('deleted_at', 'is', null)
            .where(({ exists }) =>
              exists(
                query
                  .selectFrom('model_version')
                  .select('model_version.number')
                  .where('model_version.account_id', '=', accountId)
                  .where('model_version.model_id', '=', modelId)
                  .where('model_version.number', '=', number),
              ),
            ),
        ],
        { isSerialized: true },
      );
      if (switched?.changes !== 1) throw await missing(accountId, modelId, number);
      return models.read(accountId, modelId);
    },

    async change(accountId, modelId, number, { oneLabel }) {
      const model = await models.read(accountId, modelId);
      if (model.task !== 'object_detection') {
        throw new ServiceError('wrong_parameters', 'one_label is a setting of versions for object detection');
      }
      await database.write([
        query
          .updateTable('model_version')
          .set({ one_label: oneLabel ? 1 : 0 })
          .where('account_id', '=', accountId)
          .where('model_id', '=', modelId)
          .where('number', '=', number),
      ]);
      return read(accountId, modelId, number);
    },

    async remove(accountId, modelId, number) {
      const { uid } = await read(accountId, modelId, number);
      const [removed] = await database.write(
        [
          query
            .deleteFrom('model_version')
            .where('account_id', '=', accountId)
            .where('model_id', '=', modelId)
            .where('number', '=', number)
            .where(({ not, exists }) =>
              not(
                exists(
                  query
                    .selectFrom('model')
                    .select('model.id')
                    .where('model.account_id', '=', accountId)
                    .where('model.id', '=', modelId)
                    .where('model.version', '=', number),
                ),
              ),
            ),
        ],
        { isSerialized: true },
      );
      if (removed?.changes === 1) return files.remove(uid);
      // Gone meanwhile, or in use.
      await read(accountId, modelId, number);
      throw new ServiceError(
        'conflict',
        `version ${number} is the one that predicts: switch to another one first`,
      );
    },
  };
}
