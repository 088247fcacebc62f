import { type Compilable, type Selectable, sql } from 'kysely';
import { caseFold } from '../../accounts/names.js';
import { batchesOf } from '../../core/batches-of.js';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import { countUp, lastId } from '../../storage/count-up.js';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import type { Schema } from '../../storage/schema.js';
import type { DatasetImage, ImageLabel, Split } from './dataset.js';
import { insertLabels } from './labels.js';

export interface ImagesQuery {
  readonly classId?: number | undefined;
  readonly isLabelled?: boolean | undefined;
  readonly split?: Split | undefined;
  /** A part of the file name, large or small. */
  readonly search?: string | undefined;
}

export interface NewImage extends Omit<DatasetImage, 'id' | 'datasetId' | 'labelsRevision' | 'createdAt'> {}

/** The rows of datasets' images. One of another account or dataset is `not_found`, as one that there is not. */
export interface Images {
  /**
   * Row and labels in one unit; answers the id. The unit fails as `unique` when the dataset has these very bytes.
   * @param fence of the job that adds it, which ends the unit
   */
  add(accountId: number, datasetId: number, image: NewImage, fence?: readonly Compilable[]): Promise<number>;
  /** The newest first; a position is an id. */
  list(
    accountId: number,
    datasetId: number,
    wanted: ImagesQuery,
    page: PageRequest<number>,
  ): Promise<Page<DatasetImage, number>>;
  /** All of them, oldest first, some at a time. */
  walk(accountId: number, datasetId: number): AsyncIterable<readonly DatasetImage[]>;
  /** Those of them that are there yet, in the order of these ids, some at a time. */
  readSome(
    accountId: number,
    datasetId: number,
    ids: readonly number[],
  ): AsyncIterable<readonly DatasetImage[]>;
  read(accountId: number, datasetId: number, id: number): Promise<DatasetImage>;
  withBytes(accountId: number, datasetId: number, sha256: string): Promise<DatasetImage | null>;
  count(accountId: number, datasetId: number): Promise<number>;
}

const walkedAtOnce = 50;
/** Images whose labels are read at once. With 300 labels each they take some milliseconds to receive. */
const labelledAtOnce = 10;

export function createImages({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Images {
  const { query } = database;
  const of = (accountId: number, datasetId: number) =>
    query
      .selectFrom('dataset_image')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('dataset_id', '=', datasetId);

  const withLabels = async (
    accountId: number,
    rows: readonly Selectable<Schema['dataset_image']>[],
  ): Promise<readonly DatasetImage[]> => {
    const images: DatasetImage[] = [];
    for await (const batch of batchesOf(rows, labelledAtOnce))
      images.push(...(await readLabels(accountId, batch)));
    return images;
  };

  const readLabels = async (accountId: number, rows: readonly Selectable<Schema['dataset_image']>[]) => {
    const ids = rows.map(({ id }) => id);
    const labels = await query
      .selectFrom('dataset_label')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('image_id', 'in', ids)
      .orderBy('image_id')
      .orderBy('position')
      .execute();
    const byImage = new Map<number, ImageLabel[]>();
    for (const { image_id, class_id, x_min, y_min, x_max, y_max } of labels) {
      const own = byImage.get(image_id) ?? [];
      const hasBox = x_min !== null && y_min !== null && x_max !== null && y_max !== null;
      own.push({
        classId: class_id,
        box: hasBox ? { xMin: x_min, yMin: y_min, xMax: x_max, yMax: y_max } : null,
      });
      byImage.set(image_id, own);
    }
    return rows.map((row) => toImage(row, byImage.get(row.id) ?? []));
  };

  const one = async (accountId: number, row: Selectable<Schema['dataset_image']> | undefined) =>
    row ? ((await withLabels(accountId, [row]))[0] ?? null) : null;

  return {
    async add(accountId, datasetId, image, fence = []) {
      const id = lastId(accountId, 'dataset_image');
      const statements: readonly Compilable[] = [
        countUp(database, accountId, 'dataset_image'),
        query
          .insertInto('dataset_image')
          .values({
            account_id: accountId,
            id,
            dataset_id: datasetId,
            file_name: image.fileName,
            search_text: caseFold(image.fileName),
            blob_id: image.blobId,
            image_kind: image.kind,
            image_bytes: image.bytes,
            image_sha256: image.sha256,
            fingerprint: image.fingerprint,
            width: image.width,
            height: image.height,
            labelled: image.isLabelled ? 1 : 0,
            partly_labelled: image.isPartlyLabelled ? 1 : 0,
            labels_revision: 0,
            split: image.split,
            created_at: clock(),
          })
          .returning('id'),
        ...insertLabels(database, accountId, id, image.labels),
        ...fence,
      ];
      const [, made] = await database.write(statements);
      return Number(made?.rows[0]?.['id']);
    },

    async list(accountId, datasetId, { classId, isLabelled, split, search }, { limit, after }) {
      let rows = of(accountId, datasetId);
      if (after !== undefined) rows = rows.where('id', '<', after);
      if (isLabelled !== undefined) rows = rows.where('labelled', '=', isLabelled ? 1 : 0);
      if (split !== undefined) rows = rows.where('split', '=', split);
      if (search !== undefined) {
        const pattern = `%${caseFold(search).replace(/[!%_]/g, '!$&')}%`;
        rows = rows.where(sql<boolean>`search_text like ${pattern} escape '!'`);
      }
      if (classId !== undefined) {
        rows = rows.where('id', 'in', (from) =>
          from
            .selectFrom('dataset_label as label')
            .select('label.image_id')
            .where('label.account_id', '=', accountId)
            .where('label.class_id', '=', classId),
        );
      }
      const found = await rows
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const page = toPage(found, limit, ({ id }) => id);
      return { items: await withLabels(accountId, page.items), next: page.next };
    },

    async *walk(accountId, datasetId) {
      let after = 0;
      for (;;) {
        const rows = await of(accountId, datasetId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(walkedAtOnce)
          .execute();
        const last = rows.at(-1);
        if (!last) return;
        yield await withLabels(accountId, rows);
        after = last.id;
      }
    },

    async *readSome(accountId, datasetId, ids) {
      for await (const batch of batchesOf(ids, walkedAtOnce)) {
        const rows = await of(accountId, datasetId).where('id', 'in', batch).execute();
        const byId = new Map(rows.map((row) => [row.id, row]));
        yield await withLabels(
          accountId,
          batch.flatMap((id) => byId.get(id) ?? []),
        );
      }
    },

    async read(accountId, datasetId, id) {
      const row = await of(accountId, datasetId).where('id', '=', id).executeTakeFirst();
      const image = await one(accountId, row);
      if (!image) throw new ServiceError('not_found', `${id} is not one of the images of this dataset`);
      return image;
    },

    async withBytes(accountId, datasetId, sha256) {
      const row = await of(accountId, datasetId).where('image_sha256', '=', sha256).executeTakeFirst();
      return one(accountId, row);
    },

    async count(accountId, datasetId) {
      const row = await query
        .selectFrom('dataset_image')
        .select((from) => from.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('dataset_id', '=', datasetId)
        .executeTakeFirst();
      return row?.count ?? 0;
    },
  };
}

function toImage(row: Selectable<Schema['dataset_image']>, labels: readonly ImageLabel[]): DatasetImage {
  return {
    id: row.id,
    datasetId: row.dataset_id,
    fileName: row.file_name,
    blobId: row.blob_id,
    kind: row.image_kind,
    bytes: row.image_bytes,
    sha256: row.image_sha256,
    fingerprint: row.fingerprint,
    width: row.width,
    height: row.height,
    split: row.split,
    isLabelled: row.labelled === 1,
    isPartlyLabelled: row.partly_labelled === 1,
    labels,
    labelsRevision: row.labels_revision,
    createdAt: row.created_at,
  };
}
