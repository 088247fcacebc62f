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

/** By UID or by number. */
export function findBuiltinModel(reference: string): BuiltinModel | undefined {
  return builtinModels.find((model) => model.uid === reference || String(model.id) === reference);
}

/** The catalogue models that read text together. */
export const textModels = {
  detector: 'ppocr-v4-det',
  recogniser: 'ppocr-v4-rec',
  angle: 'ppocr-v2-angle',
} as const;
