import { ServiceError } from '../../core/service-error.js';
import type { PredictionModel } from '../../recognition/choose-model.js';
import { aliasOf } from '../common/alias.js';
import type { CompatHandler } from '../common/compat-route.js';
import type { CompatAccess } from '../compat-keys.js';
import { type DoodsDeps, identifyDoods } from './call.js';

/** What clients name unless they are set otherwise. */
const usualName = 'default';

/**
 * The model of a detector's name: one of the names of the key, a model's own, or the key's model. Throws `invalid_model` and
 * `wrong_parameters`.
 */
export async function chooseDetector(
  { chooseModel, builtinModels }: Pick<DoodsDeps, 'chooseModel' | 'builtinModels'>,
  { caller, settings }: CompatAccess,
  name: string,
): Promise<PredictionModel> {
  const named = Object.hasOwn(settings.models, name) ? settings.models[name] : undefined;
  const wanted = named ?? (name === '' || name === usualName ? settings.model : name);
  return wanted === null
    ? builtinModels.defaults.general.detector
    : chooseModel(caller.accountId, wanted, 'object_detection');
}

/** `GET /detectors`: the default one, those that the key has names for, and those that everybody may use. */
export function answerDetectors(deps: DoodsDeps): CompatHandler {
  return async (request) => {
    const access = await identifyDoods(deps, request);
    const { models, aliases } = access.settings;
    const builtin = deps.builtinModels.all.filter(({ type }) => type === 'object_detection');
    const names = new Set([usualName, ...Object.keys(models), ...builtin.map(({ uid }) => uid)]);
    const detectors = [];
    for (const name of names) {
      // A model of the key may have been deleted since; the others are listed.
      const model = await chooseDetector(deps, access, name).catch(unlessGone);
      if (model === null) continue;
      const { labels, width, height } = await deps.modelFacts(model);
      detectors.push({
        name,
        type: 'onnx',
        model: model.uid,
        labels: [...new Set(labels.map((title) => aliasOf(aliases, title)))],
        width,
        height,
        channels: 3,
      });
    }
    return { body: { detectors } };
  };
}

/** Of a model that is no detector of the account any more. */
function unlessGone(error: unknown): null {
  if (error instanceof ServiceError && ['invalid_model', 'wrong_parameters'].includes(error.code))
    return null;
  throw error;
}
