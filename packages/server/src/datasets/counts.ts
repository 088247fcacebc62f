import type { Database } from '../storage/database.js';
import type { Dataset, DatasetClass } from './dataset.js';

export interface DatasetCounts {
  readonly pictures: number;
  readonly labelled: number;
  /** Of the pictures' files. */
  readonly bytes: number;
  readonly train: number;
  readonly heldOut: number;
  readonly classes: readonly (DatasetClass & {
    /** That show it. */
    readonly pictures: number;
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
  const pictures = await query
    .selectFrom('dataset_picture')
    .select((row) => [
      row.fn.countAll<number>().as('pictures'),
      row.fn.sum<number | null>('labelled').as('labelled'),
      row.fn.sum<number | null>('picture_bytes').as('bytes'),
      'split',
    ])
    .where('account_id', '=', accountId)
    .where('dataset_id', '=', id)
    .groupBy('split')
    .execute();
  const sum = (of: (row: (typeof pictures)[number]) => number | null) =>
    pictures.reduce((total, row) => total + Number(of(row) ?? 0), 0);
  const ofSplit = (split: string) => sum((row) => (row.split === split ? row.pictures : 0));
  const labels = await query
    .selectFrom('dataset_label as label')
    .innerJoin('dataset_picture as picture', (join) =>
      join.onRef('picture.account_id', '=', 'label.account_id').onRef('picture.id', '=', 'label.picture_id'),
    )
    .select((row) => [
      'label.class_id as classId',
      'picture.split',
      row.fn.countAll<number>().as('labels'),
      row.fn.count<number>('label.picture_id').distinct().as('pictures'),
    ])
    .where('label.account_id', '=', accountId)
    .where('picture.dataset_id', '=', id)
    .groupBy(['label.class_id', 'picture.split'])
    .execute();
  const classes = await query
    .selectFrom('dataset_class')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('dataset_id', '=', id)
    .orderBy('id')
    .execute();
  return {
    pictures: sum((row) => row.pictures),
    labelled: sum((row) => row.labelled),
    bytes: sum((row) => row.bytes),
    train: ofSplit('train'),
    heldOut: ofSplit('held-out'),
    classes: classes.map((each) => {
      const own = labels.filter(({ classId }) => classId === each.id);
      return {
        ...each,
        pictures: own.reduce((total, row) => total + row.pictures, 0),
        labels: own.reduce((total, row) => total + row.labels, 0),
        heldOut: own.reduce((total, row) => total + (row.split === 'held-out' ? row.pictures : 0), 0),
      };
    }),
  };
}
