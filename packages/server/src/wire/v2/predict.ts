import type { Box } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { toServiceError } from '../../core/engine-errors.js';
import { readApiKey } from '../../http/common/key.js';
import { readJsonBody } from '../../intake/json-body.js';
import { chooseImage } from '../../intake/request-image.js';
import { countCall } from '../../recognition/call.js';
import type { PredictionModel } from '../../recognition/choose-model.js';
import type { ClassesResult, ObjectsResult } from '../../recognition/results.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import { wholePixels } from '../coordinates.js';
import { Decimal, type WireValue } from '../json.js';
import {
  createParameterCheck,
  identifyCaller,
  type RawBodyHandler,
  type RouteDeps,
} from '../raw-body-handler.js';

/** A number, also as text, as forms and templates of other programs write it. */
const Threshold = Type.Optional(
  Type.Union(
    [
      Type.Number({ minimum: 0, maximum: 1 }),
      Type.String({ pattern: '^\\s*((0*1(\\.0*)?|0*\\.\\d+|0+(\\.\\d*)?)\\s*)?$', maxLength: 40 }),
      Type.Null(),
    ],
    { description: 'a number from 0 to 1' },
  ),
);

/** The body beside `base64str`, which never passes through a schema: it is megabytes long. */
const Body = Type.Object({
  model_id: Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: 'the UID of a model, or its number',
    }),
  ),
  conf_thresh: Threshold,
  nms_thresh: Threshold,
  image_file_url: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'an http or https address' }),
  ),
});
const checkBody = createParameterCheck(Body);

const operation = 'v2.predict';

/** `PUT /predict`: labelled boxes of a chosen model. */
export function answerPredict(deps: RouteDeps): RawBodyHandler {
  const { ledger, recognition, chooseModel, builtinModels } = deps;
  const intake = { runner: deps.runner, maxJsonBytes: deps.settings.maxJsonBytes };
  return async (request, reply, signal) => {
    const key = readApiKey(request.query, request.headers, ['api_key', 'apikey']);
    const caller = await identifyCaller(request, key, 'api_key', deps);
    const { accountId } = caller;
    // The parameters stand in the body; who has no call left need not send it.
    await ledger.checkCallsLeft(caller);
    const body = await readJsonBody(
      request.raw,
      'base64str',
      { ...intake, spool: deps.spool.of(accountId), accountId },
      signal,
    ).catch((error: unknown) => {
      throw toServiceError(error);
    });
    try {
      // It may have come for a minute, and the key been revoked meanwhile.
      await request.requireAccess();
      const { model_id, conf_thresh, nms_thresh, image_file_url } = checkBody(body.rest);
      const model =
        model_id == null || model_id === ''
          ? builtinModels.defaults.v2
          : await chooseModel(caller.accountId, model_id);
      const { use } = chooseImage(
        {
          image: body.image,
          url: image_file_url || undefined,
          missing: 'no image: give base64str or image_file_url',
          accountId,
        },
        deps,
        signal,
      );
      const thresholds = {
        minScore: readThreshold(conf_thresh) ?? defaultThresholds.minScore,
        nmsIou: readThreshold(nms_thresh) ?? defaultThresholds.nmsIou,
      };
      return await countCall(ledger, caller, operation, signal, async (call) => {
        if (model.type === 'classification') {
          const found = await recognition.recogniseClasses(call, use, { model });
          reply.header('x-file-id', found.fileid);
          return toV2Classes(model, found);
        }
        const found = await recognition.recogniseObjects(call, use, { model, ...thresholds });
        reply.header('x-file-id', found.fileid);
        return toV2Objects(model, found);
      });
    } finally {
      await body.image?.dispose();
    }
  };
}

function readThreshold(value: Static<typeof Body>['conf_thresh']): number | undefined {
  if (typeof value !== 'string') return value ?? undefined;
  return value.trim() === '' ? undefined : Number(value);
}

/** The answer of a detector. */
function toV2Objects(model: PredictionModel, { objects, width, height }: ObjectsResult): WireValue {
  return success(
    model,
    objects.map(({ label, score, box }) => prediction(model, label.title, score, box, width, height)),
  );
}

/** The answer of a classifier: each class, with the whole image as its box. */
function toV2Classes(model: PredictionModel, { classes, width, height }: ClassesResult): WireValue {
  const whole: Box = { xMin: 0, yMin: 0, xMax: width, yMax: height };
  return success(
    model,
    classes.map(({ label, score }) => prediction(model, label.title, score, whole, width, height)),
  );
}

function success(model: PredictionModel, predictions: readonly WireValue[]): WireValue {
  return { predictions, model_type: model.type, status: 1, status_description: 'Successful prediction' };
}

function prediction(
  model: PredictionModel,
  title: string,
  score: number,
  box: Box,
  width: number,
  height: number,
): WireValue {
  return {
    class_title: title,
    score: new Decimal(score),
    model_id: model.uid,
    model_title: model.title,
    coordinates: wholePixels(box, width, height),
  };
}
