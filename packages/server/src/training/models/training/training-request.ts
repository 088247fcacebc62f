import { type Static, Type } from 'typebox';

/** What a training is asked for; a job's payload. */
export const TrainingRequest = Type.Object({
  datasetId: Type.Integer(),
  /** Of a classifier: whether to add a class for images that show none of the others. */
  noneOfThese: Type.Boolean(),
  /** Of a detector: whether it may look again at what it finds; true unless given. */
  secondLook: Type.Optional(Type.Boolean()),
  /** Of what is drawn by chance: the same images and the same seed give the same model. */
  seed: Type.Integer(),
  /** Whether the version predicts as soon as it is there. */
  isActivated: Type.Boolean(),
});
export type TrainingRequest = Static<typeof TrainingRequest>;
