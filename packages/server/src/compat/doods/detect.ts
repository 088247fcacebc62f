import { Readable } from 'node:stream';
import type { ImageSource } from '@lynceus/engine';
import { Type } from 'typebox';
import type { CompatSettings } from '../../accounts/compat-settings.js';
import { toServiceError } from '../../core/engine-errors.js';
import { ServiceError } from '../../core/service-error.js';
import { readJsonBody } from '../../intake/json-body.js';
import { countCall } from '../../recognition/call.js';
import type { ObjectsResult } from '../../recognition/results.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import { createParameterCheck } from '../../wire/raw-body-handler.js';
import { aliasOf } from '../common/alias.js';
import type { CompatAnswer, CompatHandler } from '../common/compat-route.js';
import { toFractions } from './answers.js';
import { type DoodsDeps, identifyDoods } from './call.js';
import { chooseDetector } from './detectors.js';
import { OrNull } from './or-null.js';
import { minWantedScore, type Wanted, wantedProperties, whereWanted } from './wanted.js';

/** The body beside `data`; whatever else clients send is left alone. */
const Body = Type.Object({
  id: OrNull(Type.String({ maxLength: 200 }), 'a text of 200 characters at most'),
  detector_name: OrNull(Type.String({ maxLength: 100 }), 'a text of 100 characters at most'),
  image: OrNull(Type.String({ maxLength: 100 }), 'a format such as .jpg'),
  ...wantedProperties,
});
const checkBody = createParameterCheck(Body);

/** Formats for which clients get a drawing, a JPEG for each; DOODS ignores any other. */
const drawnFormats = new Set(['true', '.jpg', 'jpg', 'jpeg', 'image/jpeg', '.png', 'png', 'image/png']);
const drawing = { maxSidePx: 1920, quality: 85 } as const;

/** `POST /detect`: objects in an image that comes as base64 in JSON. */
export function answerDetect(deps: DoodsDeps): CompatHandler {
  return answerWith(
    deps,
    (image) => drawnFormats.has(image ?? ''),
    ({ id, drawn, detections }) => {
      const image = drawn === null ? {} : { image: drawn.toString('base64') };
      return { body: { id, ...image, detections } };
    },
  );
}

/** `POST /image`: the same with the drawing alone as the answer. */
export function answerDrawing(deps: DoodsDeps): CompatHandler {
  return answerWith(
    deps,
    () => true,
    ({ drawn }) => {
      const jpeg = drawn ?? Buffer.alloc(0);
      const content = { mediaType: 'image/jpeg', sizeBytes: jpeg.length, stream: Readable.from([jpeg]) };
      return { body: undefined, content };
    },
  );
}

interface Found {
  readonly id: string;
  readonly drawn: Buffer | null;
  readonly detections: ReturnType<typeof toDetections>;
}

/** @param isDrawn by the format that the client wants the image in */
function answerWith(
  deps: DoodsDeps,
  isDrawn: (image: string | null | undefined) => boolean,
  toAnswer: (found: Found) => CompatAnswer,
): CompatHandler {
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
      const { id, detector_name, image, ...wanted } = checkBody(body.rest);
      if (body.image === undefined) throw new ServiceError('no_file', 'no image: send it as base64 in data');
      const { source } = body.image;
      const model = await chooseDetector(deps, access, detector_name ?? '');
      const choice = {
        model,
        minScore: minScoreOf(wanted, access.settings),
        nmsIou: defaultThresholds.nmsIou,
      };
      const found = await countCall(ledger, access.caller, 'doods.detect', signal, (call) =>
        recognition.recogniseObjects(call, (work) => work(source), choice),
      );
      reply.header('x-file-id', found.fileid);
      const detections = toDetections(found, wanted, access.settings);
      const drawn = isDrawn(image)
        ? await draw(deps, accountId, source, { ...found, detections }, signal)
        : null;
      return toAnswer({ id: id || found.fileid, drawn, detections });
    } finally {
      await body.image?.dispose();
    }
  };
}

/** The minimum score of what is answered, which is all that the detector need find. */
function minScoreOf(wanted: Wanted, { minConfidence }: CompatSettings): number {
  return Math.max(minWantedScore(wanted) ?? defaultThresholds.minScore, minConfidence ?? 0);
}

function toDetections(
  { objects, width, height }: ObjectsResult,
  wanted: Wanted,
  { aliases, minConfidence, maxPredictions }: CompatSettings,
) {
  return [...objects]
    .sort((a, b) => b.score - a.score)
    .filter(({ score }) => score >= (minConfidence ?? 0))
    .flatMap(({ label, score, box }) => {
      const place = { ...toFractions(box, width, height), label: aliasOf(aliases, label.title) };
      const where = whereWanted(wanted, { ...place, score });
      if (where === undefined) return [];
      const region = where.regionId === null ? {} : { region_id: where.regionId };
      return [{ ...region, ...place, confidence: Math.round(score * 1e4) / 100 }];
    })
    .slice(0, maxPredictions ?? Number.POSITIVE_INFINITY);
}

/** The image with what is answered drawn on it, as a JPEG. */
async function draw(
  { runner, settings }: DoodsDeps,
  accountId: number,
  source: ImageSource,
  {
    detections,
    width,
    height,
  }: Pick<ObjectsResult, 'width' | 'height'> & {
    readonly detections: ReturnType<typeof toDetections>;
  },
  signal: AbortSignal,
): Promise<Buffer> {
  const marks = detections.map(({ top, left, bottom, right, label, confidence }) => ({
    box: { xMin: left * width, yMin: top * height, xMax: right * width, yMax: bottom * height },
    title: label,
    note: String(Math.round(confidence)),
  }));
  const { results } = await runner
    .analyse(
      {
        source,
        limits: { maxPixels: settings.maxPixels },
        tasks: [{ task: 'draw', options: { ...drawing, marks } }],
      },
      { priority: 'interactive', owner: String(accountId), signal },
    )
    .catch((error: unknown) => {
      throw toServiceError(error);
    });
  return Buffer.from(results.draw?.jpeg ?? []);
}
