import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly, toTime } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import { writeFrameTags } from '../../wire/frame-tags.js';
import type { ShownFrame } from '../previews/shown-frame.js';
import type { StreamDeps } from './deps.js';
import { StreamParams } from './fields.js';
import { boundary, type ViewLimits, writeMotionJpeg, writeTagEvents } from './live-views.js';

const usualFps = 5;
const usualSidePx = 1280;
/** Time for the first frame, which may come from another service. */
const firstFrameMs = 5000;
/** A frame that is older is waited for a moment, for a newer one is likely to come. */
const freshMs = 2000;
const fresherMs = 1500;

const drawn = {
  boxes: Type.Optional(
    Type.Boolean({ description: 'true to mark the objects that are followed; false unless given' }),
  ),
  max_side: Type.Optional(
    Type.Integer({
      minimum: 64,
      maximum: 3840,
      description: `the longer side in pixels, from 64 to 3840; ${usualSidePx} unless given, and never more than the frame has`,
    }),
  ),
};

const binary = Type.Unsafe<Readable | Uint8Array>(Type.String({ format: 'binary' }));
const tags = ['streams'];

/** What a stream shows now, to people and to programs. */
export function addLiveRoutes(
  app: ApiScope,
  { streamStore, runningStreams, eventStreams }: StreamDeps,
): void {
  const { previews } = runningStreams;

  /** Takes a slot for as long as the client watches. */
  const open = async (request: FastifyRequest, reply: FastifyReply, streamId: number) => {
    const { accountId } = callerOf(request);
    const { id } = await streamStore.streams.read(accountId, streamId);
    const isThere = () =>
      streamStore.streams.read(accountId, id).then(
        () => true,
        (error: unknown) => !(error instanceof ServiceError && error.code === 'not_found'),
      );
    const { signal, isStillLetIn } = eventStreams.open(request, reply, isThere);
    const limits: ViewLimits = { signal, mayGoOn: isStillLetIn };
    setHeaders(request, reply);
    return { limits, view: previews.watch(accountId, id, signal) };
  };

  app.get('/streams/:id/latest.jpg', {
    config: { right: 'read', takesViewToken: true },
    schema: {
      tags,
      operationId: 'readStreamFrame',
      summary: 'The newest frame of a stream',
      description: 'The header `x-frame-time` says of when it is.',
      params: StreamParams,
      querystring: exactly(drawn),
      response: { 200: { description: 'The frame', content: { 'image/jpeg': { schema: binary } } } },
    },
    async handler(request, reply) {
      const { view, limits } = await open(request, reply, request.params.id);
      const { boxes: hasBoxes = false, max_side: maxSidePx = usualSidePx } = request.query;
      let frame = await view.next(firstFrameMs);
      if (frame !== null && Date.now() - frame.atMs > freshMs) frame = (await view.next(fresherMs)) ?? frame;
      for (; frame !== null && !limits.signal.aborted; frame = await view.next(fresherMs)) {
        const jpeg = await frame.toJpeg({ hasBoxes, maxSidePx });
        if (jpeg !== null)
          return reply.header('x-frame-time', toTime(frame.atMs)).type('image/jpeg').send(jpeg);
      }
      throw new ServiceError('not_found', 'the stream has no frame now; its state says why');
    },
  });

  app.get('/streams/:id/view.mjpg', {
    config: { right: 'read', takesViewToken: true, isStream: true },
    schema: {
      tags,
      operationId: 'viewStream',
      summary: 'The frames of a stream as motion JPEG, until the client disconnects',
      description: 'A client that reads slowly misses frames.',
      params: StreamParams,
      querystring: exactly({
        fps: Type.Optional(
          Type.Number({
            minimum: 0.1,
            maximum: 15,
            description: `frames a second at most, from 0.1 to 15; ${usualFps} unless given`,
          }),
        ),
        ...drawn,
      }),
      response: {
        200: {
          description: 'Frames, without end',
          content: { 'multipart/x-mixed-replace': { schema: binary } },
        },
      },
    },
    async handler(request, reply) {
      const { view, limits } = await open(request, reply, request.params.id);
      const { fps = usualFps, boxes: hasBoxes = false, max_side: maxSidePx = usualSidePx } = request.query;
      return reply
        .type(`multipart/x-mixed-replace; boundary=${boundary}`)
        .header('x-accel-buffering', 'no')
        .send(
          Readable.from(writeMotionJpeg(view, limits, { fps, hasBoxes, maxSidePx }), { objectMode: false }),
        );
    },
  });

  app.get('/streams/:id/tags', {
    config: { right: 'read', takesViewToken: true, isStream: true },
    schema: {
      tags,
      operationId: 'followStreamTags',
      summary:
        'What is found in each analysed frame of a stream, as server-sent events, until the client disconnects',
      description:
        'The data of each event is what `/predict/image` answers for an image, with `stream_id` and `frame_time`; parts that were not looked for in that frame are empty. Under its `fileid` nothing is kept. A client that reads slowly misses frames.',
      params: StreamParams,
      response: {
        200: {
          description: 'Events, without end',
          content: { 'text/event-stream': { schema: Type.Unsafe<Readable>(Type.String()) } },
        },
      },
    },
    async handler(request, reply) {
      const { id: streamId } = request.params;
      const { view, limits } = await open(request, reply, streamId);
      const toTags = (frame: ShownFrame & { readonly result: NonNullable<ShownFrame['result']> }) =>
        writeFrameTags(frame.result, { streamId, frameTime: toTime(frame.atMs) });
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(writeTagEvents(view, limits, toTags), { objectMode: false }));
    },
  });
}

/** A dashboard of another origin shows what it has a token for. */
function setHeaders({ viewToken }: Pick<FastifyRequest, 'viewToken'>, reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
  if (viewToken !== undefined) reply.header('cross-origin-resource-policy', 'cross-origin');
}
