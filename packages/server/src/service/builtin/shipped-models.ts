export type ModelType = 'object_detection' | 'classification';

/** A model that every account may use. Ids of shipped ones are part of the wire contract and never change. */
export interface BuiltinModel {
  readonly uid: string;
  readonly id: number;
  readonly title: string;
  readonly type: ModelType;
  /** The catalogue models behind it; several detectors are joined by fusion. */
  readonly parts: readonly string[];
}

export const shippedModels: readonly BuiltinModel[] = [
  {
    uid: 'coco-accurate',
    id: 101,
    title: 'COCO objects, accurate',
    type: 'object_detection',
    parts: ['coco-ssd', 'centernet-coco'],
  },
  {
    uid: 'coco-fast',
    id: 102,
    title: 'COCO objects, fast',
    type: 'object_detection',
    parts: ['coco-ssd'],
  },
  {
    uid: 'imagenet',
    id: 201,
    title: 'ImageNet classes',
    type: 'classification',
    parts: ['inception-v3'],
  },
];

/** What runs where the operator selects nothing. */
export const shippedSelection = {
  defaultDetector: 'coco-accurate',
  defaultClassifier: 'imagenet',
  dropDetector: '',
  dropClassifier: '',
  v2Model: 'coco-accurate',
};

/** The catalogue models that training runs build on. */
export const trainingModels = {
  classification: 'inception-v3',
  object_detection: 'coco-ssd',
  /** Looks again at what a trained detector finds. */
  secondLook: 'inception-v3',
} as const;

/** The catalogue models that read text together. */
export const textModels = {
  detector: 'ppocr-v4-det',
  recogniser: 'ppocr-v4-rec',
  angle: 'ppocr-v2-angle',
} as const;
