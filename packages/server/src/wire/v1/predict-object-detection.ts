import { Type } from 'typebox';
import type { Caller } from '../../accounts/accounts.js';
import type { PredictionModel } from '../../recognition/choose-model.js';
import type { ObjectsResult } from '../../recognition/results.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import { wholePixels } from '../coordinates.js';
import { Decimal, type WireValue } from '../json.js';
import { createParameterCheck, type RawBodyHandler, type RouteDeps } from '../raw-body-handler.js';
import { countUploadCall, type Parameter } from './upload-call.js';

const Threshold = Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' });
const DetectionParameters = Type.Object({
  conf_thresh: Threshold,
  nms_thresh: Threshold,
  detail: Type.Optional(Type.Enum(['normal', 'high'], { description: 'normal or high' })),
});
const checkDetectionParameters = createParameterCheck(DetectionParameters);

const operation = 'v1.predict_object_detection';

/** `/predict/object_detection/`: labelled boxes of the model that `model_id` names, or of the default detector. */
export function answerPredictObjectDetection(deps: RouteDeps): RawBodyHandler {
  return (request, reply, signal) =>
    countUploadCall(
      deps,
      request,
      signal,
      operation,
      (parameter, caller) => readParameters(deps, parameter, caller),
      async ({ call, parameters, image }) => {
        const found = await deps.recognition.recogniseObjects(call, image.use, parameters);
        reply.header('x-file-id', found.fileid);
        return toCustomDetection(parameters.model, found);
      },
    );
}

async function readParameters(
  { chooseModel, builtinModels }: Pick<RouteDeps, 'chooseModel' | 'builtinModels'>,
  parameter: Parameter,
  { accountId }: Caller,
) {
  const wantedDetail = parameter('detail');
  const { conf_thresh, nms_thresh, detail } = checkDetectionParameters({
    conf_thresh: toNumber(parameter('conf_thresh')) ?? defaultThresholds.minScore,
    nms_thresh: toNumber(parameter('nms_thresh')) ?? defaultThresholds.nmsIou,
    ...(wantedDetail !== undefined && { detail: wantedDetail }),
  });
  const modelId = parameter('model_id');
  const model =
    modelId === undefined
      ? builtinModels.defaults.general.detector
      : await chooseModel(accountId, modelId, 'object_detection');
  return { model, minScore: conf_thresh, nmsIou: nms_thresh, ...(detail && { detail }) };
}

// What is not a decimal number stays text, and the schema refuses it.
function toNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : text;
}

function toCustomDetection(model: PredictionModel, { objects, width, height }: ObjectsResult): WireValue {
  return {
    status: 'ok',
    prediction_type: 'object_detection',
    predictions: objects.map(({ label, score, box }) => ({
      class_title: label.title,
      model_id: model.id,
      score: new Decimal(score),
      coordinates: wholePixels(box, width, height),
    })),
  };
}
