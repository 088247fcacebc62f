import type { Analysis, FrameSource, ModelRunner, Priority, TaskCall, TextLanguage } from '@lynceus/engine';
import type { ChooseModel, PredictionModel } from '../../recognition/choose-model.js';
import { generalFindings, nameFindings } from '../../recognition/general.js';
import type { FaceNaming } from '../../recognition/name-faces.js';
import type { RecognitionParts } from '../../recognition/parts.js';
import { createFileId } from '../../recognition/record.js';
import type { GeneralResult } from '../../recognition/results.js';
import { defaultThresholds, type TaskCalls } from '../../recognition/task-calls.js';
import type { GeneralModels } from '../../service/builtin/builtin-models.js';
import type { StreamSettings } from '../stream-settings.js';

/** What was found in a frame. Nothing of it is recorded. */
interface FrameFindings {
  readonly result: GeneralResult;
  /** Time that it waited for an inference process, in milliseconds. */
  readonly queueMs: number;
}

/** Runs models on a frame. Throws the engine's errors, and ServiceErrors where a model or perception is gone. */
export type AnalyseFrame = (
  source: FrameSource,
  parts: RecognitionParts,
  signal: AbortSignal,
) => Promise<FrameFindings>;

export interface AnalyseFrameDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly calls: TaskCalls;
  readonly chooseModel: ChooseModel;
  /** For streams that choose none. */
  readonly generalModels: GeneralModels;
  readonly faceNaming: FaceNaming;
  readonly usualLanguages: readonly TextLanguage[] | undefined;
  readonly maxPixels: number;
  /** `stream` unless given. */
  readonly priority?: Priority;
}

/** What is looked for, of a stream or a video. */
type FrameSettings = Pick<
  StreamSettings,
  'modelReference' | 'minScore' | 'textLanguages' | 'namesPeople' | 'perceptionId'
>;

/** Below what is followed: an object that is followed already is found again by less (ByteTrack). */
const lowestScore = 0.15;
/** A model may be changed, and another version of it be activated. */
const chooseAgainMs = 30_000;

export function createAnalyseFrame(
  deps: AnalyseFrameDeps,
  accountId: number,
  settings: FrameSettings,
): AnalyseFrame {
  const { runner, calls, generalModels, faceNaming, maxPixels, priority = 'stream' } = deps;
  const chooseDetector = createDetectorChoice(deps, accountId, settings);
  const textLanguages = settings.textLanguages.length > 0 ? settings.textLanguages : deps.usualLanguages;
  const minScore = Math.min(lowestScore, settings.minScore);

  const tasksFor = async (parts: RecognitionParts, embedFaces: boolean): Promise<readonly TaskCall[]> => {
    const rest = new Set(parts);
    rest.delete('objects');
    const others = calls.general(rest, 'basic', generalModels, {
      embedFaces,
      ...(textLanguages && { textLanguages }),
    });
    if (!parts.has('objects')) return others;
    return [...others, calls.detect(await chooseDetector(), { ...defaultThresholds, minScore })];
  };

  return async (source, parts, signal) => {
    // Without consent no face is described.
    const nameFaces =
      settings.namesPeople && parts.has('faces')
        ? await faceNaming(accountId, settings.perceptionId ?? undefined)
        : null;
    const tasks = await tasksFor(parts, nameFaces !== null);
    const analysis = await runner.analyse(
      { source, limits: { maxPixels }, tasks },
      { priority, owner: String(accountId), signal },
    );
    const findings = generalFindings(analysis);
    const faces = nameFaces ? await nameFindings(analysis, findings.faces, nameFaces) : findings.faces;
    return {
      result: toResult(analysis, accountId, { ...findings, faces }, parts),
      queueMs: queueOf(analysis),
    };
  };
}

function createDetectorChoice(
  { chooseModel, generalModels }: AnalyseFrameDeps,
  accountId: number,
  { modelReference }: FrameSettings,
): () => Promise<PredictionModel> {
  if (modelReference === null) return async () => generalModels.detector;
  let chosen: Promise<PredictionModel> | null = null;
  let chosenMs = 0;
  return () => {
    const nowMs = performance.now();
    if (chosen === null || nowMs - chosenMs > chooseAgainMs) {
      chosenMs = nowMs;
      const choice = chooseModel(accountId, modelReference, 'object_detection');
      chosen = choice;
      choice.catch(() => {
        if (chosen === choice) chosen = null;
      });
    }
    return chosen;
  };
}

function toResult(
  { image: { width, height } }: Analysis,
  accountId: number,
  findings: Pick<GeneralResult, 'classes' | 'objects' | 'texts' | 'faces'>,
  parts: RecognitionParts,
): GeneralResult {
  return { fileid: createFileId(accountId), width, height, ...findings, parts, mode: 'basic' };
}

function queueOf({ timingsMs }: Analysis): number {
  return timingsMs['queue'] ?? 0;
}
