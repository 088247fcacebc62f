import {
  type Analysis,
  type DetectionDetail,
  EngineError,
  encodedKind,
  type ModelRunner,
  type TaskCall,
  type TextLanguage,
} from '@lynceus/engine';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { UseImage } from '../intake/request-image.js';
import type { BuiltinModels, GeneralModels } from '../service/builtin/builtin-models.js';
import type { Database } from '../storage/database.js';
import type { Call, CallLedger } from './call.js';
import type { PredictionModel } from './choose-model.js';
import { generalFindings, modeOf, nameFindings } from './general.js';
import type { KeepImage, KeptImage } from './kept-images.js';
import type { FaceNaming } from './name-faces.js';
import type { RecognitionMode, RecognitionParts } from './parts.js';
import { createFileId, createRecorder, writeSummary } from './record.js';
import type { ClassesResult, Found, GeneralResult, ObjectsResult, Recognised } from './results.js';
import { createTaskCalls, type DetectionChoice, defaultThresholds, type ModelChoice } from './task-calls.js';
import { readTextLanguages } from './text-languages.js';

/** What a call to a model means. Each uses the image, records the analysis and settles the call, in one unit, before it answers. */
export interface Recognition {
  recogniseObjects(
    call: Call,
    useImage: UseImage,
    options: { readonly model: PredictionModel } & DetectionChoice,
  ): Promise<ObjectsResult>;
  recogniseClasses(
    call: Call,
    useImage: UseImage,
    options: { readonly model: PredictionModel },
  ): Promise<ClassesResult>;
  recogniseGeneral(
    call: Call,
    useImage: UseImage,
    options: {
      readonly parts: RecognitionParts;
      readonly mode: RecognitionMode;
      /** The operator's selection unless given. */
      readonly models?: GeneralModels;
      /** How objects are looked for; `normal` unless given. */
      readonly detail?: DetectionDetail;
      /** Of the text; those of the settings unless given. */
      readonly textLanguages?: readonly TextLanguage[];
    },
  ): Promise<GeneralResult>;
}

interface RecognitionDeps extends ModelChoice {
  readonly builtinModels: Pick<BuiltinModels, 'defaults'>;
  /** The setting: languages separated by commas, none for all. */
  readonly textLanguages: string;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly ledger: Pick<CallLedger, 'settle'>;
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly keepImage: KeepImage;
  readonly faceNaming: FaceNaming;
  readonly maxPixels: number;
}

export function createRecognition(deps: RecognitionDeps): Recognition {
  const recordAnalysis = createRecorder(deps.database);
  const calls = createTaskCalls(deps);
  const usualLanguages = readTextLanguages(deps.textLanguages);

  const analyse = async <T extends Found>(
    call: Call,
    useImage: UseImage,
    tasks: readonly TaskCall[],
    toResult: (analysis: Analysis) => T | Promise<T>,
  ): Promise<T & Recognised> => {
    const fileid = createFileId(call.reservation.caller.accountId);
    const { analysis, kept } = await runTasks(call, useImage, tasks, fileid);
    const { kind, width, height } = analysis.image;
    const result = await toResult(analysis);
    const record = {
      image: { kind, width, height },
      models: analysis.models,
      calibration: analysis.results.detect?.calibration ?? null,
      options: tasks.map(({ task, options }) => ({ task, ...withoutModels(options) })),
      timingsMs: analysis.timingsMs,
      result,
    };
    const statements = recordAnalysis(call.reservation, {
      fileid,
      nowMs: deps.clock(),
      record,
      summary: writeSummary(result, analysis.models),
      image: kept,
    });
    const alongside = call.alongside?.({ fileid, found: result }) ?? [];
    await deps.ledger.settle(call.reservation, [...statements, ...alongside]);
    return { fileid, width, height, ...result };
  };

  const runTasks = (
    { reservation, signal, priority = 'interactive', refuseDamage = false }: Call,
    useImage: UseImage,
    tasks: readonly TaskCall[],
    fileid: string,
  ): Promise<{ analysis: Analysis; kept: KeptImage | null }> =>
    useImage(async (source) => {
      const analysis = await deps.runner.analyse(
        { source, limits: { maxPixels: deps.maxPixels, refuseDamage }, tasks },
        { priority, owner: String(reservation.caller.accountId), signal },
      );
      // Not before: what is no image is not kept.
      const kept = await deps.keepImage(reservation, { fileid, kind: encodedKind(analysis.image), source });
      return { analysis, kept };
    });

  return {
    recogniseObjects: (call, useImage, { model, ...choice }) =>
      analyse(call, useImage, [calls.detect(model, choice)], ({ results }) => ({
        objects: results.detect?.detections ?? [],
      })).catch(rethrowRemoved(model)),

    recogniseClasses: (call, useImage, { model }) =>
      analyse(call, useImage, [calls.classify(model)], ({ results }) => ({
        classes: results.classify?.classes ?? [],
        ...(results.classify?.unlikeTraining !== undefined && {
          unlikeTraining: results.classify.unlikeTraining,
        }),
      })).catch(rethrowRemoved(model)),

    recogniseGeneral: async (
      call,
      useImage,
      {
        parts,
        mode: wanted,
        models = deps.builtinModels.defaults.general,
        detail,
        textLanguages = usualLanguages,
      },
    ) => {
      const mode = modeOf(wanted, parts);
      const { accountId } = call.reservation.caller;
      const nameFaces = parts.has('faces') ? await deps.faceNaming(accountId) : null;
      const detection = { ...defaultThresholds, ...(detail && { detail }) };
      const tasks = calls.general(parts, mode, models, {
        detection,
        embedFaces: nameFaces !== null,
        ...(textLanguages && { textLanguages }),
      });
      const found = await analyse(call, useImage, tasks, async (analysis) => {
        const findings = generalFindings(analysis);
        const faces = nameFaces ? await nameFindings(analysis, findings.faces, nameFaces) : findings.faces;
        return { ...findings, faces, mode };
      });
      return { ...found, parts };
    },
  };
}

/** Between the choice of a version and its loading a user may activate another and delete it. */
function rethrowRemoved(model: PredictionModel): (error: unknown) => never {
  return (error) => {
    if (!('ref' in model) || !(error instanceof EngineError) || error.code !== 'model-missing') throw error;
    throw new ServiceError('service_busy', 'the version of this model is gone: ask again for the new one', {
      cause: error,
    });
  };
}

// Folders of models are ours alone; which models ran is recorded beside the options.
function withoutModels(options: TaskCall['options']): Record<string, unknown> {
  const { model: _model, models: _models, ...rest } = { model: undefined, models: undefined, ...options };
  return rest;
}
