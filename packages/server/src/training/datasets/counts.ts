import type { Database } from '../../storage/database.js';
import type { Dataset, DatasetClass } from './dataset.js';

export interface DatasetCounts {
  readonly images: number;
  readonly labelled: number;
  /** Of the images' files. */
  readonly bytes: number;
  readonly train: number;
  readonly heldOut: number;
  readonly classes: readonly (DatasetClass & {
    /** That show it. */
    readonly images: number;
    /** Boxes, where there are boxes. */
    readonly labels: number;
    readonly heldOut: number;
  })[];
}

/** How much a dataset holds. */
export async function countDataset(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  { id }: Pick<Dataset, 'id'>,
): Promise<DatasetCounts> {
  const images = await query
    .selectFrom('dataset_image')
    .select((row) => [
      row.fn.countAll<number>().as('images'),
      row.fn.sum<number | null>('labelled').as('labelled'),
      row.fn.sum<number | null>('image_bytes').as('bytes'),
      'split',
    ])
    .where('account_id', '=', accountId)
    .where('dataset_id', '=', id)
    .groupBy('split')
    .execute();
  const sum = (of: (row: (typeof images)[number]) => number | null) =>
    images.reduce((total, row) => total + Number(of(row) ?? 0), 0);
  const ofSplit = (split: string) => sum((row) => (row.split === split ? row.images : 0));
  const labels = await query
    .selectFrom('dataset_label as label')
    .innerJoin('dataset_image as image', (join) =>
      join.onRef('image.account_id', '=', 'label.account_id').onRef('image.id', '=', 'label.image_id'),
    )
    .select((row) => [
      'label.class_id as classId',
      'image.split',
      row.fn.countAll<number>().as('labels'),
      row.fn.count<number>('label.image_id').distinct().as('images'),
    ])
    .where('label.account_id', '=', accountId)
    .where('image.dataset_id', '=', id)
    .groupBy(['label.class_id', 'image.split'])
    .execute();
  const classes = await query
    .selectFrom('dataset_class')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('dataset_id', '=', id)
    .orderBy('id')
    .execute();
  return {
    images: sum((row) => row.images),
    labelled: sum((row) => row.labelled),
    bytes: sum((row) => row.bytes),
    train: ofSplit('train'),
    heldOut: ofSplit('held-out'),
    classes: classes.map((each) => {
      const own = labels.filter(({ classId }) => classId === each.id);
      return {
        ...each,
        images: own.reduce((total, row) => total + row.images, 0),
        labels: own.reduce((total, row) => total + row.labels, 0),
        heldOut: own.reduce((total, row) => total + (row.split === 'held-out' ? row.images : 0), 0),
      };
    }),
  };
}
