import { LynceusError } from '../error.js';
import type { CompatOptions, ImagesOf, LabelInput, NewComparison, NewRun } from '../shapes.js';
import { checkNames, type Kind } from './check-names.js';
import { toPathPart } from './path-part.js';

type KindsOf<Options> = Readonly<Record<keyof Options, Kind>>;

const compatKinds: KindsOf<CompatOptions> = {
  protocol: 'needed',
  perception: 'optional',
  model: 'optional',
  models: 'optional',
  aliases: 'optional',
  minConfidence: 'optional',
  maxPredictions: 'optional',
};
const runKinds: KindsOf<NewRun> = {
  datasetId: 'needed',
  noneOfThese: 'optional',
  secondLook: 'optional',
  seed: 'optional',
  activate: 'optional',
};
const comparisonKinds: KindsOf<NewComparison> = { versions: 'needed array', datasetId: 'optional' };

/** Arguments and options, by name, that programs give in another form than the service takes. */
const writers: Readonly<Record<string, (value: never) => unknown>> = {
  compat: (compat: CompatOptions | undefined) => {
    if (!compat) return compat;
    checkNames('the option compat', compat, compatKinds);
    const { minConfidence, maxPredictions, ...same } = compat;
    return { ...same, min_confidence: minConfidence, max_predictions: maxPredictions };
  },
  run: (run: NewRun) => {
    checkNames('modelRuns.start', run, runKinds);
    const { datasetId, noneOfThese, secondLook, seed, activate } = run;
    const options = { none_of_these: noneOfThese, second_look: secondLook, seed, activate };
    return { dataset_id: datasetId, options };
  },
  wanted: (wanted: NewComparison) => {
    checkNames('modelRuns.compare', wanted, comparisonKinds);
    return { versions: wanted.versions, dataset_id: wanted.datasetId };
  },
  labels: (labels: readonly LabelInput[] | null) =>
    labels?.map(({ classId, box }) => ({ class_id: classId, box })) ?? null,
  urls: (urls: readonly (string | URL)[]) => urls.map(String),
  parts: toList,
  textLanguages: toList,
  imageUrl: (url: string) => url.split('/').at(-1),
};

/** As it goes into the request. */
export function writeValue(name: string, value: unknown): unknown {
  const write = writers[name];
  if (write) return write(value as never);
  return value instanceof Date ? value.toISOString() : value;
}

/** v1 has lists in its query. */
function toList(values: readonly string[] | undefined): string | undefined {
  return values?.join(',');
}

/** Arguments that are more than one part of a path. */
export const writtenParts: Readonly<Record<string, (value: unknown) => string>> = {
  of: (of) => {
    checkNames('faceImages', of, { modelId: 'optional', personId: 'optional' });
    const { modelId, personId } = of as Partial<Record<'modelId' | 'personId', ImagesOf>>;
    if (modelId !== undefined) return `perceptions/${toPathPart('modelId', modelId)}`;
    if (personId !== undefined) return `people/${toPathPart('personId', personId)}`;
    throw new LynceusError('wrong_parameters', 'modelId or personId is missing');
  },
};
