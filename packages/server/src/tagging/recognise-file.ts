import type { Analysis, FaceChainName, ModelRef, ModelRunner, TaskCall, TextLanguage } from '@lynceus/engine';
import type { Findings } from '../drops/keywords/choose-keywords.js';
import type { PredictionModel } from '../recognition/choose-model.js';
import { generalFindings, nameFindings } from '../recognition/general.js';
import type { NameFaces } from '../recognition/name-faces.js';
import { createTaskCalls, defaultThresholds } from '../recognition/task-calls.js';
import type { GeneralModels } from '../service/builtin/builtin-models.js';
import type { TagSettings } from './tag-settings.js';

/** What is in the image of a file. Throws as the engine does, and the signal's reason. */
export type RecogniseFile = (path: string, signal: AbortSignal) => Promise<Findings>;

interface RecogniseDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly installedModel: (id: string) => ModelRef | undefined;
  readonly faceChain: FaceChainName;
  /** Of general recognition. */
  readonly models: GeneralModels;
  /** In the place of general recognition; null for that. */
  readonly model: PredictionModel | null;
  /** Null where faces get no names. */
  readonly nameFaces: NameFaces | null;
  /** Of the service's settings, where the command names none; undefined for all. */
  readonly usualLanguages: readonly TextLanguage[] | undefined;
  readonly maxPixels: number;
}

/** Looks at files as a drop does, and records and counts nothing. Throws where a model is missing. */
export function createRecogniseFile(deps: RecogniseDeps, settings: TagSettings): RecogniseFile {
  const tasks = tasksOf(deps, settings);
  return async (path, signal) => {
    const analysis = await deps.runner.analyse(
      { source: { kind: 'file', path }, limits: { maxPixels: deps.maxPixels, refuseDamage: true }, tasks },
      { priority: 'batch', signal },
    );
    return toFindings(analysis, deps.nameFaces);
  };
}

function tasksOf(deps: RecogniseDeps, settings: TagSettings): readonly TaskCall[] {
  const calls = createTaskCalls(deps);
  const { model, models, nameFaces, usualLanguages } = deps;
  const { detail } = settings;
  const detection = { ...defaultThresholds, detail };
  if (model !== null) {
    return [model.type === 'classification' ? calls.classify(model) : calls.detect(model, detection)];
  }
  const textLanguages = settings.textLanguages.length > 0 ? settings.textLanguages : usualLanguages;
  return calls.general(new Set(settings.parts), 'basic', models, {
    detection,
    embedFaces: nameFaces !== null,
    ...(textLanguages && { textLanguages }),
  });
}

async function toFindings(analysis: Analysis, nameFaces: NameFaces | null): Promise<Findings> {
  const findings = generalFindings(analysis);
  if (!nameFaces || !analysis.results.faces) return findings;
  return { ...findings, faces: await nameFindings(analysis, findings.faces, nameFaces) };
}
