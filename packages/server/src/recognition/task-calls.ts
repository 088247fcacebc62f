import {
  type DetectionDetail,
  EngineError,
  type FaceChainName,
  faceChains,
  type ModelRef,
  modelsOfFaceChain,
  type TaskCall,
  type TextLanguage,
} from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import type { GeneralModels } from '../service/builtin/builtin-models.js';
import { describeMissing } from '../service/builtin/missing-model.js';
import { textModels } from '../service/builtin/shipped-models.js';
import type { PredictionModel } from './choose-model.js';
import type { RecognitionMode, RecognitionPart, RecognitionParts } from './parts.js';

/** Thresholds from 0 to 1 that a detector uses unless the caller gives others. */
export const defaultThresholds = { minScore: 0.4, nmsIou: 0.45 } as const;
type Thresholds = { readonly minScore: number; readonly nmsIou: number };
/** How a detector looks at an image. */
export interface DetectionChoice extends Thresholds {
  /** Whether large images are looked at in slices as well; `normal` unless given. */
  readonly detail?: DetectionDetail;
}

/** Counts of general recognition: whole-image classes, classes of an object, objects that are classified. */
const maxClasses = 10;
const maxObjectClasses = 5;
const maxDenseObjects = 10;
/**
 * Pieces of text that general recognition reads, and their length in pixels of the recogniser: enough to choose the
 * surest 15 from. A page full of text then costs some two seconds of reading and not ten.
 */
const maxTextLines = 60;
const maxTextStripPx = 24_000;

export interface ModelChoice {
  /** The installed model of a catalogue id. */
  readonly installedModel: (id: string) => ModelRef | undefined;
  readonly faceChain: FaceChainName;
}

/** Turns what a caller wants into calls of the engine's tasks, each naming installed models. */
export interface TaskCalls {
  detect(model: PredictionModel, choice: DetectionChoice): TaskCall;
  classify(model: PredictionModel): TaskCall;
  /** Classes of each object that `detect` finds. */
  segment(classifier: PredictionModel): TaskCall;
  /** Throws `wrong_parameters` when the models of a part are not installed. */
  general(
    parts: RecognitionParts,
    mode: RecognitionMode,
    models: GeneralModels,
    options?: {
      readonly detection?: DetectionChoice;
      readonly embedFaces?: boolean;
      readonly textLanguages?: readonly TextLanguage[];
    },
  ): readonly TaskCall[];
}

export function createTaskCalls({ installedModel, faceChain }: ModelChoice): TaskCalls {
  const refOf = (uid: string, part: string): ModelRef => {
    const ref = installedModel(part);
    // It was there at the start, and the command line removes models beside the service.
    if (ref === undefined) throw new ServiceError('model_missing', describeMissing(uid, part));
    return ref;
  };
  /** What the parts of a start's settings need was checked then; a request may ask for more. */
  const partRefOf = (part: RecognitionPart) => (id: string) => {
    const ref = installedModel(id);
    if (ref !== undefined) return ref;
    throw new ServiceError(
      'wrong_parameters',
      `parts: ${part} is not available; its models are not installed`,
    );
  };

  const refsOf = (model: PredictionModel): readonly ModelRef[] =>
    'ref' in model ? [model.ref] : model.parts.map((part) => refOf(model.uid, part));

  const detect: TaskCalls['detect'] = (model, { minScore, nmsIou, detail }) => ({
    task: 'detect',
    options: {
      ...{ models: refsOf(model), minScore, nmsIou, ...(detail && { detail }) },
      ...('oneLabel' in model && { oneLabel: model.oneLabel }),
    },
  });
  const classify: TaskCalls['classify'] = (model) => ({
    task: 'classify',
    options: { model: firstRef(model), topK: maxClasses },
  });
  const firstRef = (model: PredictionModel): ModelRef => {
    const [ref] = refsOf(model);
    if (ref === undefined) throw new EngineError('internal', `model ${model.uid} names no catalogue model`);
    return ref;
  };
  const segment = (classifier: PredictionModel): TaskCall => ({
    task: 'segment',
    options: {
      model: firstRef(classifier),
      topK: maxObjectClasses,
      maxSegments: maxDenseObjects,
    },
  });
  const readText = (languages: readonly TextLanguage[] | undefined): TaskCall => {
    const ref = partRefOf('texts');
    const { detector, recogniser, angle } = textModels;
    return {
      task: 'readText',
      options: {
        models: { detector: ref(detector), recogniser: ref(recogniser), angle: ref(angle) },
        ...(languages && { languages }),
        maxLines: maxTextLines,
        maxStripPx: maxTextStripPx,
      },
    };
  };
  const faces = (embed: boolean): TaskCall => ({
    task: 'faces',
    options: {
      models: modelsOfFaceChain(faceChain, partRefOf('faces')),
      minScore: faceChains[faceChain].minScore,
      embed,
      mirrors: faceChains[faceChain].mirrors,
      liveness: false,
    },
  });

  return {
    detect,
    classify,
    segment,
    general(
      parts,
      mode,
      { detector, classifier },
      { detection = defaultThresholds, embedFaces = false, textLanguages } = {},
    ) {
      const calls: TaskCall[] = [];
      // What can take longest comes first, so that processes that share the work are done at about the same time:
      // texts and faces are looked for in every detail of a large image.
      if (parts.has('texts')) calls.push(readText(textLanguages));
      if (parts.has('faces')) calls.push(faces(embedFaces));
      if (parts.has('objects')) calls.push(detect(detector, detection));
      if (mode === 'dense' && parts.has('objects')) calls.push(segment(classifier));
      if (parts.has('classes')) calls.push(classify(classifier));
      return calls;
    },
  };
}
