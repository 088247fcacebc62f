import { quote } from '../errors/quote.js';
import { ServiceError } from '../errors/service-error.js';

export type ModelType = 'object_detection' | 'classification';

/** A model that every account may use. Ids are part of the wire contract and never change. */
export interface BuiltinModel {
  readonly uid: string;
  readonly id: number;
  readonly title: string;
  readonly type: ModelType;
  /** The catalogue models behind it; several detectors are joined by fusion. */
  readonly parts: readonly string[];
}

export const defaultDetector: BuiltinModel = {
  uid: 'coco-accurate',
  id: 101,
  title: 'COCO objects, accurate',
  type: 'object_detection',
  parts: ['coco-ssd', 'centernet-coco'],
};

const fastDetector: BuiltinModel = {
  uid: 'coco-fast',
  id: 102,
  title: 'COCO objects, fast',
  type: 'object_detection',
  parts: ['coco-ssd'],
};

export const defaultClassifier: BuiltinModel = {
  uid: 'imagenet',
  id: 201,
  title: 'ImageNet classes',
  type: 'classification',
  parts: ['inception-v3'],
};

export const builtinModels: readonly BuiltinModel[] = [defaultDetector, fastDetector, defaultClassifier];

/** The model that a caller names by UID or by number. Throws `invalid_model`. */
export function chooseModel(reference: string | number): BuiltinModel {
  const wanted = String(reference).trim();
  const found = builtinModels.find((model) => model.uid === wanted || String(model.id) === wanted);
  if (found === undefined) {
    throw new ServiceError('invalid_model', `model_id ${quote(wanted)} is not one of your models`);
  }
  return found;
}

/** Like `chooseModel`, for an operation that takes one type only. Throws `wrong_parameters` for the other. */
export function chooseModelOfType(reference: string | number, type: ModelType): BuiltinModel {
  const found = chooseModel(reference);
  if (found.type !== type) {
    throw new ServiceError(
      'wrong_parameters',
      `model_id ${found.uid} is for ${found.type}; this operation takes a model for ${type}`,
    );
  }
  return found;
}
