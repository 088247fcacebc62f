import type { DetectionDetail, TaskCall } from '@lynceus/engine';
import type { Settings } from '../core/settings.js';
import { modeOf } from '../recognition/general.js';
import { defaultParts, readParts } from '../recognition/parts.js';
import { createTaskCalls, defaultThresholds } from '../recognition/task-calls.js';
import { readTextLanguages } from '../recognition/text-languages.js';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import type { CommandContext } from './context.js';
import { openModels, requireInstalled } from './open-models.js';

/** Options of `predict` that say what is looked for. */
export interface PlanOptions {
  readonly model?: string;
  readonly parts?: string;
  readonly minScore: number;
  readonly dense?: boolean;
  readonly detail?: DetectionDetail;
  readonly languages?: string;
}

/** The tasks that an image goes through. Throws where options contradict each other, and where a model is missing. */
export async function planTasks(
  options: PlanOptions,
  settings: Settings,
  context: CommandContext,
): Promise<readonly TaskCall[]> {
  const catalog = await openModels(context);
  const builtinModels = createBuiltinModels(catalog.list(), settings);
  const { general } = builtinModels.defaults;
  const calls = createTaskCalls({
    installedModel: (id) => requireInstalled(catalog, id, context),
    faceChain: settings.faceChain,
  });
  const { detail, languages, minScore } = options;
  const detection = { ...defaultThresholds, minScore, ...(detail && { detail }) };
  if (options.model === undefined) {
    const parts = options.parts === undefined ? defaultParts(settings) : readParts(options.parts);
    if (languages !== undefined && !parts.has('texts'))
      throw new Error('--languages is for texts, which --parts leaves out');
    if (detail !== undefined && !parts.has('objects'))
      throw new Error('--detail is for objects, which --parts leaves out');
    const textLanguages =
      languages === undefined
        ? readTextLanguages(settings.textLanguages)
        : readTextLanguages(languages, '--languages');
    return calls.general(parts, modeOf(options.dense ? 'dense' : 'basic', parts), general, {
      detection,
      ...(textLanguages && { textLanguages }),
    });
  }
  const model = builtinModels.find(options.model.trim());
  if (!model) {
    const names = builtinModels.all.map(({ uid }) => uid);
    throw new Error(`${options.model} is not a built-in model; those are ${names.join(', ')}`);
  }
  if (languages !== undefined) throw new Error('--languages is for texts, which no model of --model reads');
  if (model.type === 'classification') {
    if (detail !== undefined) throw new Error(`--detail is for objects, and ${model.uid} finds classes`);
    return [calls.classify(model)];
  }
  const detect = calls.detect(model, detection);
  return options.dense ? [detect, calls.segment(general.classifier)] : [detect];
}
