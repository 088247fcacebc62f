import { Type } from 'typebox';
import type { Caller } from '../../accounts/accounts.js';
import type { PredictionModel } from '../../recognition/choose-model.js';
import { defaultParts, type RecognitionParts, readParts } from '../../recognition/parts.js';
import type { ClassesResult } from '../../recognition/results.js';
import { readTextLanguages } from '../../recognition/text-languages.js';
import { toGeneralRecognition } from '../general-recognition.js';
import { Decimal, type WireValue } from '../json.js';
import { createParameterCheck, type RawBodyHandler, type RouteDeps } from '../raw-body-handler.js';
import { countUploadCall, type Parameter } from './upload-call.js';

const ImageParameters = Type.Object({
  predicttype: Type.Union([Type.Literal('dense'), Type.Literal('basic')], { description: 'dense or basic' }),
});
const checkImageParameters = createParameterCheck(ImageParameters);

const operation = 'v1.predict_image';

/** `/predict/image`: general recognition, or ranked classes of the model that `model_id` names. */
export function answerPredictImage(deps: RouteDeps): RawBodyHandler {
  const { recognition } = deps;
  const partsUnlessChosen = defaultParts(deps.settings);
  return (request, reply, signal) =>
    countUploadCall(
      deps,
      request,
      signal,
      operation,
      (parameter, caller) => readParameters(deps, parameter, caller, partsUnlessChosen),
      async ({ call, parameters, image }) => {
        const { model, ...choice } = parameters;
        if (model === undefined) {
          const found = await recognition.recogniseGeneral(call, image.use, choice);
          return toGeneralRecognition(found, image.url);
        }
        const found = await recognition.recogniseClasses(call, image.use, { model });
        reply.header('x-file-id', found.fileid);
        return toCustomRecognition(model, found, image.url);
      },
    );
}

async function readParameters(
  { chooseModel }: Pick<RouteDeps, 'chooseModel'>,
  parameter: Parameter,
  { accountId }: Caller,
  partsUnlessChosen: RecognitionParts,
) {
  const { predicttype: mode } = checkImageParameters({
    predicttype: parameter('predicttype') ?? 'dense',
  });
  const list = parameter('parts');
  const parts = list === undefined ? partsUnlessChosen : readParts(list);
  const modelId = parameter('model_id');
  const model = modelId === undefined ? undefined : await chooseModel(accountId, modelId, 'classification');
  const languages = parameter('text_languages');
  const textLanguages = languages === undefined ? undefined : readTextLanguages(languages);
  return { model, mode, parts, ...(textLanguages && { textLanguages }) };
}

/** The answer of a named classifier. Its two names for the type are both in use: field list and sample disagree. */
function toCustomRecognition(
  model: PredictionModel,
  { classes }: ClassesResult,
  url: string | undefined,
): WireValue {
  return {
    status: 'ok',
    model_id: String(model.id),
    url,
    predictions: classes.map(({ label, score }, index) => ({
      class_title: label.title,
      order: index + 1,
      score: new Decimal(score),
    })),
    prediction_type: 'image',
    predict_type: 'image',
  };
}
