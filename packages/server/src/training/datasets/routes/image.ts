import { type Static, Type } from 'typebox';
import { toAnswer } from '../../../http/api/answer.js';
import { Time } from '../../../http/api/fields.js';
import type { DatasetImage as DomainImage } from '../dataset.js';
import { Box, SplitName, toBox } from './fields.js';

const Label = Type.Object(
  {
    class_id: Type.Integer(),
    box: Type.Union([Box, Type.Null()], { description: 'null in classification' }),
  },
  { title: 'DatasetLabel' },
);
const Labels = Type.Array(Label);

export const DatasetImage = Type.Object(
  {
    id: Type.Integer({ examples: [1001] }),
    dataset_id: Type.Integer({ examples: [1001] }),
    file_name: Type.String(),
    image: Type.Object({
      kind: Type.String({ examples: ['jpeg'] }),
      width: Type.Integer(),
      height: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
    }),
    split: Type.Union([SplitName, Type.Null()], { description: 'null before the dataset was split' }),
    labels: Type.Union([Labels, Type.Null()], {
      description: 'null while nobody said what it shows; empty when it shows none of the classes',
    }),
    partly_labelled: Type.Boolean({
      description:
        'whether an import could not read some of its labels: what they do not name counts as unknown. Saving labels ends it',
    }),
    labels_revision: Type.Integer({
      description: 'another one with each change of the labels; `If-Match: "…"` of it guards a change',
    }),
    created_at: Time,
  },
  { title: 'DatasetImage', description: 'The image as it is now' },
);

export function toImage(found: DomainImage): Static<typeof DatasetImage> {
  const { kind, width, height, bytes, sha256, labels, isLabelled } = found;
  return toAnswer(DatasetImage, found, {
    image: { kind, width, height, bytes, sha256 },
    labels: isLabelled
      ? labels.map(({ classId, box }) => ({ class_id: classId, box: box && toBox(box) }))
      : null,
    partly_labelled: found.isPartlyLabelled,
  });
}
