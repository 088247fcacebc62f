import type { Detection } from '@lynceus/engine';
import type { CompatSettings } from '../../compat/compat-settings.js';
import { ServiceError } from '../../core/service-error.js';
import { countCall } from '../../recognition/call.js';
import type { PredictionModel } from '../../recognition/choose-model.js';
import type { ObjectsResult } from '../../recognition/results.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import { aliasOf } from '../compat/alias.js';
import type { CompatAnswer, CompatDeps, CompatHandler } from '../compat/compat-route.js';
import { refuse, succeed, toBox } from './answers.js';
import { type DeepstackCall, onlyImage, withDeepstackForm } from './call.js';

/** Frigate has room for so many, and reads no further: the best come first. */
const mostPredictions = 20;

/** `POST /v1/vision/detection`: objects by the model of the key. */
export function answerDetection(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withDeepstackForm(deps, request, signal, async (call) => {
      const { settings, caller } = call.access;
      const model =
        settings.model === null
          ? deps.builtinModels.defaults.general.detector
          : await deps.chooseModel(caller.accountId, settings.model, 'object_detection');
      return detect(deps, call, model, 'deepstack.detection', (fileid) => reply.header('x-file-id', fileid));
    });
}

/** `POST /v1/vision/custom/{name}`: objects by the model that the key has for this name, or that has it. */
export function answerCustom(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withDeepstackForm(deps, request, signal, async (call) => {
      const { settings, caller } = call.access;
      const name = request.params['name'] ?? '';
      const wanted = Object.hasOwn(settings.models, name) ? settings.models[name] : name;
      const model = await deps
        .chooseModel(caller.accountId, wanted ?? name, 'object_detection')
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
      const names = [...Object.keys(settings.models), ...builtin.map(({ uid }) => uid)];
      const dates = { dateCreated: '', dateUpdated: '' };
      return succeed(
        {
          models: [...new Set(names)].map((name) => ({ name, ...dates })),
          custom_models: [],
        },
        { startedMs, moduleId: 'ObjectDetection' },
      );
    });
}

/** `POST /v1/vision/scene`: the class of the whole image. */
export function answerScene(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withDeepstackForm(deps, request, signal, async ({ access, form, startedMs, signal: until }) => {
      const source = onlyImage(form);
      const model = deps.builtinModels.defaults.general.classifier;
      const found = await countCall(deps.ledger, access.caller, 'deepstack.scene', until, (call) =>
        deps.recognition.recogniseClasses(call, (work) => work(source), { model }),
      );
      reply.header('x-file-id', found.fileid);
      const [best] = found.classes;
      return succeed(
        { label: best?.label.title ?? 'unknown', confidence: best?.score ?? 0 },
        { startedMs, moduleId: 'SceneClassification' },
      );
    });
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

/** Classes of COCO first: clients have lists of them, and Frigate stops at the first label that is not on its own. */
function toPredictions(
  { objects, width, height }: ObjectsResult,
  { aliases, maxPredictions }: CompatSettings,
) {
  const isCommon = ({ label }: Detection) => label.id.startsWith('coco:');
  return [...objects]
    .sort((a, b) => Number(isCommon(b)) - Number(isCommon(a)) || b.score - a.score)
    .slice(0, Math.min(maxPredictions ?? mostPredictions, mostPredictions))
    .map(({ label, score, box }) => ({
      confidence: score,
      label: aliasOf(aliases, label.title),
      ...toBox(box, width, height),
    }));
}
