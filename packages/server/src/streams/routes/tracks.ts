import { Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id, Time, toTime } from '../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import { createRequestSignal } from '../../http/common/request-signal.js';
import type { StreamDeps } from './deps.js';
import { StreamTrack, seenQuery, TrackId, toFilter, toTrack } from './seen.js';

const Position = Type.Tuple([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), TrackId]);
const TrackList = PageOf(StreamTrack, 'A page of tracks');
export const TrackParams = Type.Object({ id: TrackId });

const RefusedPerson = Type.Object(
  {
    track: StreamTrack,
    correction: Type.Union([
      Type.Object({ id: Id, person_id: Id, created_at: Time }, { description: 'of that person' }),
      Type.Null(),
    ]),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'why there is no correction' }),
  },
  {
    title: 'StreamRefusedPerson',
    description: 'The track without the name, and what is remembered of its face',
  },
);
const tags = ['streams'];

/** Objects that were followed through the frames of streams. */
export function addStreamTrackRoutes(app: ApiScope, { streamStore, ...deps }: StreamDeps): void {
  const { tracks, refusePerson } = streamStore;

  app.get('/stream-tracks', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listStreamTracks',
      summary: 'Objects that were followed in streams, the newest first',
      description: 'With `kind`: to which something of that kind happened.',
      querystring: exactly({ ...paging, ...seenQuery }),
      response: { 200: TrackList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { query } = request;
      const page = await tracks.list(accountId, toFilter(query), pageRequest(Position, query));
      return toPageAnswer(page, toTrack);
    },
  });

  app.get('/stream-tracks/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readStreamTrack',
      summary: 'One object that was followed',
      params: TrackParams,
      response: { 200: StreamTrack },
    },
    handler: async (request) => toTrack(await tracks.read(callerOf(request).accountId, request.params.id)),
  });

  app.delete('/stream-tracks/:id', {
    config: { right: 'change', audit: ['stream_tracks.delete', 'stream_track'] },
    schema: {
      tags,
      operationId: 'deleteStreamTrack',
      summary: 'Deletes what is known of one object: its events, snapshot and clip',
      params: TrackParams,
      response: { 204: Type.Null({ description: 'It is deleted' }) },
    },
    async handler(request) {
      await tracks.remove(callerOf(request).accountId, request.params.id);
    },
  });

  app.post('/stream-tracks/:id/not-person', {
    config: { right: 'change', audit: ['stream_tracks.not_person', 'stream_track'] },
    schema: {
      tags,
      operationId: 'refuseStreamPerson',
      summary: 'This is not X: takes the name from an object, and remembers its face as a correction of X',
      params: TrackParams,
      response: { 200: RefusedPerson },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const signal = createRequestSignal(reply, deps);
      const { track, correction, reason } = await refusePerson(accountId, request.params.id, signal);
      return {
        track: toTrack(track),
        correction: correction && {
          id: correction.id,
          person_id: correction.personId,
          created_at: toTime(correction.createdAt),
        },
        reason,
      };
    },
  });
}
