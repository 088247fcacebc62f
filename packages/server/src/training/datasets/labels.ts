import { type Compilable, type RawBuilder, sql } from 'kysely';
import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { checkBox } from './check-box.js';
import type { Classes } from './classes.js';
import { type Dataset, type DatasetImage, type ImageLabel, maxLabels } from './dataset.js';
import { newLabelsRevision } from './labels-revision.js';

interface SetOptions {
  /** Nothing is changed when the labels are none of these any more. */
  readonly revisions?: readonly number[] | undefined;
  /** Whether the image may show more than these labels say; false unless given, as when a user saves them. */
  readonly isPartial?: boolean | undefined;
  /** Id of the job that sets them, which `isRevisionOf` recognises. */
  readonly job?: string | undefined;
  /** Of the job that sets them, which ends the unit. */
  readonly fence?: readonly Compilable[] | undefined;
}

/** Says what images show. */
export interface Labels {
  /**
   * All labels of an image at once, in place of those that it has; an empty list says that it shows none of the
   * classes, null that nobody has said yet. Boxes are clipped to the image. Throws `wrong_parameters`, and then nothing
   * has changed. False, with nothing changed, when the labels are none of the expected revisions any more.
   */
  set(
    accountId: number,
    dataset: Dataset,
    image: DatasetImage,
    labels: readonly ImageLabel[] | null,
    options?: SetOptions,
  ): Promise<boolean>;
}

export function createLabels({
  database,
  classes,
}: {
  readonly database: Database;
  readonly classes: Pick<Classes, 'list'>;
}): Labels {
  const { query } = database;
  return {
    async set(accountId, dataset, image, wanted, { revisions, isPartial = false, job, fence = [] } = {}) {
      const known = new Set((await classes.list(accountId, dataset.id)).map(({ id }) => id));
      const labels = wanted && checkLabels(dataset, image, wanted, known);
      if (revisions?.length === 0) return false;
      const revision = newLabelsRevision(job);
      const row = query
        .updateTable('dataset_image')
        .set({
          labelled: labels === null ? 0 : 1,
          partly_labelled: isPartial ? 1 : 0,
          labels_revision: revision,
        })
        .where('account_id', '=', accountId)
        .where('id', '=', image.id);
      const [marked] = await database
        .write([
          revisions ? row.where('labels_revision', 'in', revisions) : row,
          query
            .deleteFrom('dataset_label')
            .where('account_id', '=', accountId)
            .where('image_id', '=', image.id)
            .where('image_id', 'in', changedHere(database, accountId, image.id, revision)),
          ...replaceLabels(database, accountId, image.id, revision, labels ?? []),
          ...fence,
        ])
        .catch((error: unknown) => {
          if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
          throw new ServiceError('conflict', 'the image or a class was deleted meanwhile', {
            cause: error,
          });
        });
      if (marked?.changes === 1) return true;
      if (revisions) return false;
      throw new ServiceError('not_found', 'the image was deleted meanwhile');
    },
  };
}

/** The image, when this unit has changed its labels: what follows in the unit then changes them too, or nothing. */
function changedHere(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  imageId: number,
  revision: number,
) {
  return query
    .selectFrom('dataset_image')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', imageId)
    .where('labels_revision', '=', revision);
}

function replaceLabels(
  database: Pick<Database, 'query'>,
  accountId: number,
  imageId: number,
  revision: number,
  labels: readonly ImageLabel[],
): readonly Compilable[] {
  const [first, ...others] = labels.map(({ classId, box }, position) =>
    changedHere(database, accountId, imageId, revision)
      .clearSelect()
      .select([
        'account_id',
        'id as image_id',
        integer(position).as('position'),
        integer(classId).as('class_id'),
        coordinate(box?.xMin).as('x_min'),
        coordinate(box?.yMin).as('y_min'),
        coordinate(box?.xMax).as('x_max'),
        coordinate(box?.yMax).as('y_max'),
      ]),
  );
  if (!first) return [];
  return [
    database.query
      .insertInto('dataset_label')
      .columns(['account_id', 'image_id', 'position', 'class_id', 'x_min', 'y_min', 'x_max', 'y_max'])
      .expression(others.reduce((all, next) => all.unionAll(next), first)),
  ];
}

// PostgreSQL takes a selected parameter for text without a cast.
const integer = (value: number) => sql<number>`cast(${value} as bigint)`;
const coordinate = (value: number | undefined) =>
  sql<number | null>`cast(${value ?? null} as double precision)`;

/** Of no label, no statement. */
export function insertLabels(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  imageId: number | RawBuilder<number>,
  labels: readonly ImageLabel[],
): readonly Compilable[] {
  if (labels.length === 0) return [];
  return [
    query.insertInto('dataset_label').values(
      labels.map(({ classId, box }, position) => ({
        account_id: accountId,
        image_id: imageId,
        position,
        class_id: classId,
        x_min: box?.xMin ?? null,
        y_min: box?.yMin ?? null,
        x_max: box?.xMax ?? null,
        y_max: box?.yMax ?? null,
      })),
    ),
  ];
}

/** With boxes clipped. Throws `wrong_parameters`, naming the label by its position in the list. */
function checkLabels(
  { task, multiLabel }: Pick<Dataset, 'task' | 'multiLabel'>,
  size: { readonly width: number; readonly height: number },
  labels: readonly ImageLabel[],
  knownClasses: ReadonlySet<number>,
): readonly ImageLabel[] {
  if (labels.length > maxLabels) throw refuse(`an image has ${maxLabels} labels at most`);
  const hasBoxes = task === 'object_detection';
  if (!hasBoxes && !multiLabel && labels.length > 1) {
    throw refuse('the images of this dataset have one class each; a dataset with multi_label takes several');
  }
  const seen = new Set<number>();
  return labels.map(({ classId, box }, index) => {
    const field = `labels[${index}]`;
    if (!knownClasses.has(classId))
      throw refuse(`${field}: ${quote(String(classId))} is no class of this dataset`);
    if (!hasBoxes) {
      if (box !== null) throw refuse(`${field} has a box, and this dataset is for classification`);
      if (seen.has(classId)) throw refuse(`${field}: the class ${classId} stands there already`);
      seen.add(classId);
      return { classId, box };
    }
    if (box === null) throw refuse(`${field} has no box, and this dataset is for object detection`);
    const checked = checkBox(box, size);
    if ('problem' in checked) throw refuse(`${field}: ${checked.message}`);
    return { classId, box: checked.box };
  });
}

function refuse(message: string): ServiceError {
  return new ServiceError('wrong_parameters', message);
}
