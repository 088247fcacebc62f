import { type Static, Type } from 'typebox';
import type { AddedPicture } from '../../datasets/add-pictures.js';

const Verdict = Type.Object({
  file: Type.String({ description: 'its name, or its address' }),
  outcome: Type.Enum(['added', 'duplicate', 'refused'], {
    description: 'duplicate: the dataset has these very bytes, as picture_id',
  }),
  picture_id: Type.Union([Type.Integer(), Type.Null()]),
  near_duplicate_of: Type.Union([Type.Integer(), Type.Null()], {
    description: 'a picture that looks nearly the same; the two stay on one side of the split',
  }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'why it was refused' }),
  message: Type.Union([Type.String(), Type.Null()], { description: 'the same in words, which may change' }),
});
export type Verdict = Static<typeof Verdict>;
export const Verdicts = Type.Object(
  { data: Type.Array(Verdict) },
  { description: 'What became of each picture, in the order in which they came' },
);

/** A file that was not even looked at, or whose label cannot be one. */
export interface RefusedFile {
  readonly outcome: 'refused';
  readonly problem: string;
  readonly message: string;
}

export function toVerdict(file: string, added: AddedPicture | RefusedFile): Verdict {
  const isRefused = added.outcome === 'refused';
  return {
    file,
    outcome: added.outcome,
    picture_id: isRefused ? null : added.pictureId,
    near_duplicate_of: added.outcome === 'added' ? added.nearTo : null,
    problem: isRefused ? added.problem : null,
    message: isRefused ? added.message : null,
  };
}
