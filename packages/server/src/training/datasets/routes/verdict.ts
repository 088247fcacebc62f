import { type Static, Type } from 'typebox';
import type { AddedImage } from '../add-images.js';

const Verdict = Type.Object(
  {
    file: Type.String({ description: 'its name, or its address' }),
    outcome: Type.Enum(['added', 'duplicate', 'refused'], {
      description: 'duplicate: the dataset has these very bytes, as image_id',
    }),
    image_id: Type.Union([Type.Integer(), Type.Null()]),
    near_duplicate_of: Type.Union([Type.Integer(), Type.Null()], {
      description: 'an image that looks nearly the same; the two stay on one side of the split',
    }),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'why it was refused' }),
    message: Type.Union([Type.String(), Type.Null()], { description: 'the same in words, which may change' }),
  },
  { title: 'AddedImage' },
);
export type Verdict = Static<typeof Verdict>;
export const Verdicts = Type.Object(
  { data: Type.Array(Verdict) },
  { title: 'AddedImages', description: 'What became of each image, in the order in which they came' },
);

/** A file that was not even looked at, or whose label cannot be one. */
export interface RefusedFile {
  readonly outcome: 'refused';
  readonly problem: string;
  readonly message: string;
}

export function toVerdict(file: string, added: AddedImage | RefusedFile): Verdict {
  const isRefused = added.outcome === 'refused';
  return {
    file,
    outcome: added.outcome,
    image_id: isRefused ? null : added.imageId,
    near_duplicate_of: added.outcome === 'added' ? added.nearTo : null,
    problem: isRefused ? added.problem : null,
    message: isRefused ? added.message : null,
  };
}
