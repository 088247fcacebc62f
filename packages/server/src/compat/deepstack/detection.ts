import type { Detection } from '@lynceus/engine';
import type { CompatSettings } from '../../accounts/compat-settings.js';
import { ServiceError } from '../../core/service-error.js';
import { countCall } from '../../recognition/call.js';
import type { PredictionModel } from '../../recognition/choose-model.js';
import type { ObjectsResult } from '../../recognition/results.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import { aliasOf } from '../common/alias.js';
import type { CompatAnswer, CompatDeps, CompatHandler } from '../common/compat-route.js';
import { refuse, succeed, toBox } from './answers.js';
import { type DeepstackCall, onlyImage, withDeepstackForm } from './call.js';

/** Frigate has room for so many, and fails at one more: a key of another client may have another limit. */
const usualMaxPredictions = 20;

/** Models of CodeProject.AI that its clients ask for by default: the key's detector stands in for them unless the key maps them. */
const usualModelNames: ReadonlySet<string> = new Set([
  ...['ipcam-general', 'ipcam-general-v8', 'ipcam-combined', 'ipcam-animal', 'ipcam-dark'],
]);

/** `POST /v1/vision/detection`: objects by the model of the key. */
export function answerDetection(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withDeepstackForm(deps, request, signal, async (call) => {
      const model = await usualModel(deps, call);
      return detect(deps, call, model, 'deepstack.detection', (fileid) => reply.header('x-file-id', fileid));
    });
}

/** `POST /v1/vision/custom/{name}`: objects by the model that the key has for this name, or that has it. */
export function answerCustom(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withDeepstackForm(deps, request, signal, async (call) => {
      const { settings, caller } = call.access;
      const name = request.params['name'] ?? '';
      const mapped = Object.hasOwn(settings.models, name) ? settings.models[name] : undefined;
      const model =
        mapped === undefined && usualModelNames.has(name)
          ? await usualModel(deps, call)
          : await deps
              .chooseModel(caller.accountId, mapped ?? name, 'object_detection')
              .catch((error: unknown) => {
                if (error instanceof ServiceError && error.code === 'invalid_model') return null;
                throw error;
              });
      // As DeepStack answers for a model that it has not.
      if (model === null) return refuse(400, `model not found: the key names no model for ${name}`);
      return detect(deps, call, model, 'deepstack.custom', (fileid) => reply.header('x-file-id', fileid));
    });
}

/** `POST /v1/vision/custom/list`: what the key has names for, and the models that everybody may use. */
export function answerCustomList(deps: CompatDeps): CompatHandler {
  return (request, _reply, signal) =>
    withDeepstackForm(deps, request, signal, async ({ access: { settings }, startedMs }) => {
      const builtin = deps.builtinModels.all.filter(({ type }) => type === 'object_detection');
      const names = [...Object.keys(settings.models), ...builtin.map(({ uid }) => uid), ...usualModelNames];
      return succeed({ models: [...new Set(names)] }, { startedMs, moduleId: 'ObjectDetection' });
    });
}

/**
 * What this service does not do as the original: kinds of scenes (the classes of ImageNet are things), number plates, and text in CodeProject.AI's form. Clients
 * know the answer for what is switched off.
 */
export function answerNotActivated(name: string): (deps: CompatDeps) => CompatHandler {
  return (deps) => (request, _reply, signal) =>
    withDeepstackForm(deps, request, signal, async () => refuse(403, `${name} endpoint not activated`));
}

function usualModel(
  deps: CompatDeps,
  { access: { settings, caller } }: DeepstackCall,
): Promise<PredictionModel> {
  return settings.model === null
    ? Promise.resolve(deps.builtinModels.defaults.general.detector)
    : deps.chooseModel(caller.accountId, settings.model, 'object_detection');
}

async function detect(
  deps: CompatDeps,
  { access, form, minConfidence, startedMs, signal }: DeepstackCall,
  model: PredictionModel,
  operation: string,
  tellFile: (fileid: string) => void,
): Promise<CompatAnswer> {
  const source = onlyImage(form);
  const choice = { model, minScore: minConfidence, nmsIou: defaultThresholds.nmsIou };
  const found = await countCall(deps.ledger, access.caller, operation, signal, (call) =>
    deps.recognition.recogniseObjects(call, (work) => work(source), choice),
  );
  tellFile(found.fileid);
  const predictions = toPredictions(found, access.settings);
  return succeed(
    { predictions, count: predictions.length, message: '' },
    { startedMs, moduleId: 'ObjectDetection' },
  );
}

/**
 * Classes of COCO first: clients have lists of them, and Frigate stops at the first label that is not on its own. Where there are too many, the best of
 * each label is answered before a second one of another.
 */
function toPredictions(
  { objects, width, height }: ObjectsResult,
  { aliases, maxPredictions }: CompatSettings,
) {
  const isCommon = ({ label }: Detection) => label.id.startsWith('coco:');
  const byRank = (a: Detection, b: Detection) =>
    Number(isCommon(b)) - Number(isCommon(a)) || b.score - a.score;
  const ranked = [...objects].sort(byRank);
  const labels = new Set<string>();
  const isFirst = ranked.map(({ label }) => !labels.has(label.id) && labels.add(label.id));
  const [best, others] = [ranked.filter((_, at) => isFirst[at]), ranked.filter((_, at) => !isFirst[at])];
  return [...best, ...others]
    .slice(0, maxPredictions ?? usualMaxPredictions)
    .sort(byRank)
    .map(({ label, score, box }) => ({
      confidence: score,
      label: aliasOf(aliases, label.title),
      ...toBox(box, width, height),
    }));
}
