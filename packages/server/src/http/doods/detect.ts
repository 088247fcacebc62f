import { type Static, Type } from 'typebox';
import type { CompatSettings } from '../../compat/compat-settings.js';
import { toServiceError } from '../../core/engine-errors.js';
import { ServiceError } from '../../core/service-error.js';
import { readJsonBody } from '../../intake/json-body.js';
import { countCall } from '../../recognition/call.js';
import type { ObjectsResult } from '../../recognition/results.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import { aliasOf } from '../compat/alias.js';
import type { CompatHandler } from '../compat/compat-route.js';
import { createParameterCheck } from '../wire/raw-body-handler.js';
import { toFractions } from './answers.js';
import { type DoodsDeps, identifyDoods } from './call.js';
import { chooseDetector } from './detectors.js';

const OrNull = <T extends Parameters<typeof Type.Optional>[0]>(type: T, description: string) =>
  Type.Optional(Type.Union([type, Type.Null()], { description }));

/** The body beside `data`; `regions` and whatever else clients send is left alone. */
const Body = Type.Object({
  id: OrNull(Type.String({ maxLength: 200 }), 'a text of 200 characters at most'),
  detector_name: OrNull(Type.String({ maxLength: 100 }), 'a text of 100 characters at most'),
  detect: OrNull(
    Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 100 })),
    'an object of percentages by label, such as {"person": 60, "*": 80}',
  ),
});
const checkBody = createParameterCheck(Body);
/** From how many percent on a class is answered; `*` is every one without a value of its own. */
type Wanted = NonNullable<Static<typeof Body>['detect']>;

/** `POST /detect`: objects in an image that comes as base64 in JSON. */
export function answerDetect(deps: DoodsDeps): CompatHandler {
  const { ledger, recognition, runner, settings } = deps;
  return async (request, reply, signal) => {
    const access = await identifyDoods(deps, request);
    const { accountId } = access.caller;
    // Who has no call left need not send the body.
    await ledger.checkCallsLeft(access.caller);
    const body = await readJsonBody(
      request.raw,
      'data',
      { runner, maxJsonBytes: settings.maxJsonBytes, spool: deps.spool.of(accountId), accountId },
      signal,
    ).catch((error: unknown) => {
      throw toServiceError(error);
    });
    try {
      // It may have come for a minute, and the key been revoked meanwhile.
      await request.requireAccess();
      const { id, detector_name, detect } = checkBody(body.rest);
      if (body.image === undefined) throw new ServiceError('no_file', 'no image: send it as base64 in data');
      const { source } = body.image;
      const wanted = detect ?? {};
      const model = await chooseDetector(deps, access, detector_name ?? '');
      const choice = {
        model,
        minScore: leastScore(wanted, access.settings),
        nmsIou: defaultThresholds.nmsIou,
      };
      const found = await countCall(ledger, access.caller, 'doods.detect', signal, (call) =>
        recognition.recogniseObjects(call, (work) => work(source), choice),
      );
      reply.header('x-file-id', found.fileid);
      return { body: { id: id || found.fileid, detections: toDetections(found, wanted, access.settings) } };
    } finally {
      await body.image?.dispose();
    }
  };
}

/** The least that any class is answered from, which is all that the detector need find. */
function leastScore(wanted: Wanted, { minConfidence }: CompatSettings): number {
  const scores = Object.values(wanted).map((percent) => percent / 100);
  const asked = scores.length === 0 ? defaultThresholds.minScore : Math.min(...scores);
  return Math.max(asked, minConfidence ?? 0);
}

function toDetections(
  { objects, width, height }: ObjectsResult,
  wanted: Wanted,
  { aliases, minConfidence, maxPredictions }: CompatSettings,
) {
  return [...objects]
    .sort((a, b) => b.score - a.score)
    .map(({ label, score, box }) => ({ label: aliasOf(aliases, label.title), score, box }))
    .filter(({ label, score }) => {
      const least = Object.hasOwn(wanted, label) ? wanted[label] : wanted['*'];
      return least !== undefined && score >= Math.max(least / 100, minConfidence ?? 0);
    })
    .slice(0, maxPredictions ?? Number.POSITIVE_INFINITY)
    .map(({ label, score, box }) => ({
      ...toFractions(box, width, height),
      label,
      confidence: Math.round(score * 1e4) / 100,
    }));
}
