import { Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import { firstOf } from '../../http/common/key.js';
import { parseRange } from '../../http/common/parse-range.js';
import { withView } from '../../streams/previews/previews.js';
import type { ShownFrame } from '../../streams/previews/shown-frame.js';
import type { Track } from '../../streams/tracks.js';
import { createParameterCheck } from '../../wire/raw-body-handler.js';
import type { CompatHandler, CompatRequest } from '../common/compat-route.js';
import { sendBytes } from './answers.js';
import { accountOf, type FrigateDeps, findCamera, findEvent } from './call.js';

const Whole = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9]{1,5}$', description }));
const ImageQuery = Type.Object({
  h: Whole('a height in pixels'),
  bbox: Whole('0 or 1'),
  crop: Whole('0 or 1'),
  quality: Whole('a quality from 0 to 100'),
});
const checkImageQuery = createParameterCheck(ImageQuery);

const maxSidePx = 3840;
/** As Frigate has them. */
const usualQuality = 70;
const thumbnailPx = 175;
/** Time for the first frame, which may come from another service. */
const frameMs = 5000;

/** `GET /api/events/ID/snapshot.jpg`, drawn as it is asked for, also after the end. */
export function answerSnapshot(deps: FrigateDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const accountId = await accountOf(deps, request);
    const track = await findEvent(deps, accountId, request);
    const { h, bbox, crop, quality } = readImageQuery(request);
    const isCropped = crop === '1';
    const size = isCropped ? sizeOf(track) : track;
    const view = {
      isCropped,
      hasBox: bbox === '1',
      quality: Math.min(100, Math.max(1, Number(quality ?? usualQuality))),
      ...(h === undefined ? {} : { maxSidePx: sideFor(Number(h), size) }),
    };
    return sendBytes(
      'image/jpeg',
      await deps.streamStore.trackFiles.drawSnapshot(accountId, track, view, signal),
    );
  };
}

/** `GET /api/events/ID/thumbnail.jpg`: the object alone. */
export function answerThumbnail(deps: FrigateDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const accountId = await accountOf(deps, request);
    const track = await findEvent(deps, accountId, request);
    const view = { isCropped: true, hasBox: false, maxSidePx: thumbnailPx };
    return sendBytes(
      'image/jpeg',
      await deps.streamStore.trackFiles.drawSnapshot(accountId, track, view, signal),
    );
  };
}

/** `GET /api/events/ID/clip.mp4`, or the part that a range asks for. */
export function answerClip(deps: FrigateDeps): CompatHandler {
  return async (request, reply) => {
    const accountId = await accountOf(deps, request);
    const clip = await deps.streamStore.trackFiles.clip(accountId, await findEvent(deps, accountId, request));
    const { sizeBytes, mediaType } = clip;
    const { range } = request.headers;
    const part = range === undefined ? 'whole' : parseRange(range, sizeBytes);
    reply.header('accept-ranges', 'bytes');
    if (part === 'none') {
      reply.header('content-range', `bytes */${sizeBytes}`);
      throw new ServiceError('range_not_satisfiable', `the clip has ${sizeBytes} bytes, and none of these`);
    }
    const { fromBytes, toBytes } = part === 'whole' ? { fromBytes: 0, toBytes: sizeBytes } : part;
    const stream = await clip.read({ fromBytes, toBytes });
    if (stream === null) throw new ServiceError('not_found', 'the clip is there no longer');
    if (part !== 'whole') reply.header('content-range', `bytes ${fromBytes}-${toBytes - 1}/${sizeBytes}`);
    return {
      status: part === 'whole' ? 200 : 206,
      body: null,
      content: { mediaType, sizeBytes: toBytes - fromBytes, stream },
    };
  };
}

/** `GET /api/CAMERA/latest.jpg`: the newest frame. */
export function answerLatest(deps: FrigateDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const accountId = await accountOf(deps, request);
    const { id } = await findCamera(deps, accountId, request.params['camera']);
    const { h, bbox } = readImageQuery(request);
    return withView(deps.runningStreams.previews, { accountId, streamId: id }, signal, async (view) => {
      for (;;) {
        const frame: ShownFrame | null = await view.next(frameMs);
        if (frame === null) throw new ServiceError('not_found', 'the camera has no frame now');
        const side = h === undefined ? maxSidePx : sideFor(Number(h), frame);
        const jpeg = await frame.toJpeg({ hasBoxes: bbox === '1', maxSidePx: side });
        if (jpeg !== null) return sendBytes('image/jpeg', jpeg);
      }
    });
  };
}

function readImageQuery(request: CompatRequest) {
  const given = Object.keys(ImageQuery.properties).flatMap((name) => {
    const value = firstOf(request.query, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return checkImageQuery(Object.fromEntries(given));
}

/** Of a cropped object. */
function sizeOf({ box }: Track): { readonly width: number; readonly height: number } {
  return { width: box.x_max - box.x_min, height: box.y_max - box.y_min };
}

/** The longer side of an image that gets this height. */
function sideFor(height: number, size: { readonly width: number; readonly height: number }): number {
  const ratio = size.height > 0 ? Math.max(1, size.width / size.height) : 1;
  return Math.min(maxSidePx, Math.max(32, Math.round(Math.max(1, height) * ratio)));
}
