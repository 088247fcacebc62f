import type { Box as DomainBox } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Id } from '../../../http/api/fields.js';
import { maxLabels } from '../dataset.js';

/** Fields that several operations on datasets share. A description completes the sentence "NAME must be …". */

export const DatasetParams = Type.Object({ id: Id });
export const ClassParams = Type.Object({ id: Id, class_id: Id });
export const ImageParams = Type.Object({ id: Id, image_id: Id });

export const Task = Type.Enum(['classification', 'object_detection'], {
  title: 'DatasetTask',
  description: 'classification or object_detection',
});

export const SplitName = Type.Enum(['train', 'held-out'], {
  title: 'DatasetSplit',
  description: 'train or held-out',
});

export const Box = Type.Object(
  { x_min: Type.Number(), y_min: Type.Number(), x_max: Type.Number(), y_max: Type.Number() },
  {
    title: 'DatasetBox',
    additionalProperties: false,
    description: 'in pixels of the image as it is meant to be seen',
  },
);

export const Label = Type.Object(
  { class_id: Id, box: Type.Optional(Type.Union([Box, Type.Null()])) },
  { additionalProperties: false },
);

export const LabelsInput = Type.Union([Type.Array(Label, { maxItems: maxLabels }), Type.Null()], {
  description: `a list of at most ${maxLabels} labels, each {"class_id", "box"}, the box {"x_min", "y_min", "x_max", "y_max"} or absent; or null`,
});

export const ImageIds = Type.Array(Id, {
  minItems: 1,
  maxItems: 500,
  description: 'a list of 1 to 500 ids of images',
});

export function toBox({ xMin, yMin, xMax, yMax }: DomainBox): Static<typeof Box> {
  return { x_min: xMin, y_min: yMin, x_max: xMax, y_max: yMax };
}

export function fromBox({ x_min, y_min, x_max, y_max }: Static<typeof Box>): DomainBox {
  return { xMin: x_min, yMin: y_min, xMax: x_max, yMax: y_max };
}
