import {
  type Analysis,
  type ClassScore,
  type Detection,
  EngineError,
  type ModelRef,
  type ModelRunner,
  type TaskCall,
} from '@lynceus/engine';
import type { Clock } from '../clock.js';
import type { HeldPicture } from '../intake/held-picture.js';
import type { Database } from '../storage/database.js';
import { type BuiltinModel, defaultClassifier, defaultDetector } from './builtin.js';
import type { Call, CallLedger } from './call.js';
import { createFileId, recordStatements } from './record.js';

/** Thresholds from 0 to 1 that a detector uses unless the caller gives others. */
export const defaultThresholds = { minScore: 0.4, nmsIou: 0.45 } as const;
export type Thresholds = { readonly minScore: number; readonly nmsIou: number };

/** What general recognition may look for. */
export const recognitionParts = ['classes', 'objects', 'texts', 'faces'] as const;
export type RecognitionPart = (typeof recognitionParts)[number];
/** Whether each object's part of the picture is classified by itself. */
export type RecognitionMode = 'basic' | 'dense';

/** Counts of general recognition: whole-picture classes, classes of an object, objects that are classified. */
const maxClasses = 10;
const maxObjectClasses = 5;
const maxDenseObjects = 10;

/** Size in pixels of the picture as it is meant to be seen; every box lies in it. */
export interface Recognised {
  readonly fileid: string;
  readonly width: number;
  readonly height: number;
}
export interface ObjectsResult extends Recognised {
  /** Best first. */
  readonly objects: readonly Detection[];
}
export interface ClassesResult extends Recognised {
  /** Best first, at most ten. */
  readonly classes: readonly ClassScore[];
}
export interface GeneralResult extends Recognised {
  readonly classes: readonly ClassScore[];
  /** Best first; `classes` are those of the object by itself, empty unless it was classified. */
  readonly objects: readonly (Detection & { readonly classes: readonly ClassScore[] })[];
  readonly parts: ReadonlySet<RecognitionPart>;
  /** What was done, which is less than was asked for when objects or classes were left out. */
  readonly mode: RecognitionMode;
}

/** Brings the picture when the call is counted, and not before; it is disposed of here. */
export type ObtainPicture = () => Promise<HeldPicture>;

/** What a call to a model means. Each records the analysis and settles the call, in one unit, before it answers. */
export interface Recognition {
  recogniseObjects(
    call: Call,
    obtain: ObtainPicture,
    options: { readonly model: BuiltinModel } & Thresholds,
  ): Promise<ObjectsResult>;
  recogniseClasses(
    call: Call,
    obtain: ObtainPicture,
    options: { readonly model: BuiltinModel },
  ): Promise<ClassesResult>;
  recogniseGeneral(
    call: Call,
    obtain: ObtainPicture,
    options: { readonly parts: ReadonlySet<RecognitionPart>; readonly mode: RecognitionMode },
  ): Promise<GeneralResult>;
}

export interface RecognitionDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  /** The installed model of a catalogue id. */
  readonly installedModel: (id: string) => ModelRef | undefined;
  readonly ledger: Pick<CallLedger, 'settle'>;
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly maxPixels: number;
}

export function createRecognition(deps: RecognitionDeps): Recognition {
  const refsOf = (model: BuiltinModel): readonly ModelRef[] =>
    model.parts.map((id) => {
      const ref = deps.installedModel(id);
      if (ref === undefined) throw new EngineError('model-missing', `model ${id} is not installed`);
      return ref;
    });
  const refOf = (model: BuiltinModel): ModelRef => {
    const [ref] = refsOf(model);
    if (ref === undefined) throw new EngineError('internal', `model ${model.uid} names no catalogue model`);
    return ref;
  };
  const detectCall = (model: BuiltinModel, { minScore, nmsIou }: Thresholds): TaskCall => ({
    task: 'detect',
    options: { models: refsOf(model), minScore, nmsIou },
  });
  const classifyCall = (model: BuiltinModel): TaskCall => ({
    task: 'classify',
    options: { model: refOf(model), topK: maxClasses },
  });

  const analyse = async <T>(
    call: Call,
    obtain: ObtainPicture,
    tasks: readonly TaskCall[],
    toResult: (analysis: Analysis) => T,
  ): Promise<T & Recognised> => {
    const analysis = await runTasks(call, obtain, tasks);
    const { kind, width, height } = analysis.picture;
    const result = toResult(analysis);
    const fileid = createFileId();
    const record = {
      picture: { kind, width, height },
      models: analysis.models,
      calibration: analysis.results.detect?.calibration ?? null,
      options: tasks.map(({ task, options }) => ({ task, ...withoutModels(options) })),
      timingsMs: analysis.timingsMs,
      result,
    };
    const statements = recordStatements(deps.database, call.reservation, {
      fileid,
      nowMs: deps.clock(),
      record,
    });
    await deps.ledger.settle(call.reservation, statements);
    return { fileid, width, height, ...result };
  };

  const runTasks = async (
    call: Call,
    obtain: ObtainPicture,
    tasks: readonly TaskCall[],
  ): Promise<Analysis> => {
    const picture = await obtain();
    try {
      const { signal } = call;
      return await deps.runner.analyse(
        { source: picture.source, limits: { maxPixels: deps.maxPixels }, tasks },
        { priority: 'interactive', signal },
      );
    } finally {
      await picture.dispose();
    }
  };

  return {
    recogniseObjects: (call, obtain, { model, ...thresholds }) =>
      analyse(call, obtain, [detectCall(model, thresholds)], ({ results }) => ({
        objects: results.detect?.detections ?? [],
      })),

    recogniseClasses: (call, obtain, { model }) =>
      analyse(call, obtain, [classifyCall(model)], ({ results }) => ({
        classes: results.classify?.classes ?? [],
      })),

    recogniseGeneral: (call, obtain, { parts, mode: wanted }) => {
      const mode = wanted === 'dense' && parts.has('objects') && parts.has('classes') ? 'dense' : 'basic';
      const tasks: TaskCall[] = [];
      if (parts.has('objects')) tasks.push(detectCall(defaultDetector, defaultThresholds));
      if (parts.has('classes')) tasks.push(classifyCall(defaultClassifier));
      if (mode === 'dense') {
        const model = refOf(defaultClassifier);
        tasks.push({
          task: 'segment',
          options: { model, topK: maxObjectClasses, maxSegments: maxDenseObjects },
        });
      }
      return analyse(call, obtain, tasks, ({ results }) => {
        const segments = new Map(results.segment?.segments.map((s) => [s.detection, s.classes]));
        const detections = results.detect?.detections ?? [];
        const objects = detections.map((found, index) => ({ ...found, classes: segments.get(index) ?? [] }));
        return { classes: results.classify?.classes ?? [], objects, mode } as const;
      }).then((found) => ({ ...found, parts }));
    },
  };
}

// Folders of models are ours alone; which models ran is recorded beside the options.
function withoutModels(options: TaskCall['options']): Record<string, unknown> {
  const { model: _model, models: _models, ...rest } = { model: undefined, models: undefined, ...options };
  return rest;
}
