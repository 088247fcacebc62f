import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import { exactly } from '../../../http/api/fields.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { timelineFormats } from '../timeline/formats.js';
import type { VideoDeps } from './deps.js';
import { VideoParams } from './fields.js';
import { VideoInfo } from './video.js';

const seconds = (description: string) =>
  Type.Number({ description: `${description}, in seconds from the beginning` });
const interval = { start_seconds: seconds('when it begins'), end_seconds: seconds('when it ends') };
const Intervals = Type.Array(Type.Object(interval, { title: 'TimelineInterval' }));
const person = { id: Type.Integer(), name: Type.String() };
const Labelled = Type.Array(Type.Object({ label: Type.String(), intervals: Intervals }));
const Track = Type.Object(
  {
    id: Type.Integer({ description: 'unique in the timeline' }),
    label: Type.String({ examples: ['person'] }),
    score: Type.Number({ description: 'the best of its scores, 0 to 1' }),
    ...interval,
    best_seconds: seconds('when it is seen best'),
    box: Type.Object(
      { x_min: Type.Number(), y_min: Type.Number(), x_max: Type.Number(), y_max: Type.Number() },
      { description: 'where it is then, in pixels of the video' },
    ),
    person: Type.Union([Type.Object({ ...person, score: Type.Number() }), Type.Null()], {
      description: 'null for a stranger, and for a person who was deleted',
    }),
    texts: Type.Array(Type.String(), { description: 'read on it' }),
    thumbnail: Type.Union([Type.String(), Type.Null()], {
      description: 'of …/thumbnails/; null where there is none',
    }),
  },
  { title: 'TimelineTrack' },
);
export const Timeline = Type.Object(
  {
    video: VideoInfo,
    is_cut: Type.Boolean({ description: 'whether there was more than a timeline holds' }),
    people: Type.Array(Type.Object({ person: Type.Object(person), intervals: Intervals })),
    texts: Type.Array(Type.Object({ text: Type.String(), intervals: Intervals })),
    classes: Labelled,
    image_classes: Labelled,
    tracks: Type.Array(Track, { description: 'objects, in the order in which they appear' }),
  },
  { title: 'VideoTimeline', description: 'What was found when in a video' },
);
const names = ['json', 'csv', 'vtt'] as const;
const Lines = { schema: Type.Unsafe<Readable>(Type.String()) };

/** What was found when, in a form for programs, spreadsheets or players. */
export function addTimelineRoute(app: ApiScope, { videoStore }: VideoDeps): void {
  app.get('/videos/:id/timeline', {
    config: { right: 'read' },
    schema: {
      tags: ['videos'],
      operationId: 'readVideoTimeline',
      summary: 'What was found when in a video: as JSON, CSV (its tracks) or WebVTT (a cue for each track)',
      params: VideoParams,
      querystring: exactly({
        format: Type.Optional(
          Type.Enum([...names], { default: 'json', description: `one of ${names.join(', ')}` }),
        ),
      }),
      response: {
        200: {
          description: 'The timeline',
          content: {
            'application/json': { schema: Type.Unsafe<Readable>(Timeline) },
            'text/csv': Lines,
            'text/vtt': Lines,
          },
        },
      },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const { format = 'json' } = request.query;
      const timeline = await videoStore.readTimeline(callerOf(request).accountId, id);
      const { mediaType, write } = timelineFormats[format];
      const lines = Readable.from(write(timeline), { objectMode: false });
      // Also where the client left before the first of them.
      lines.once('close', timeline.close);
      return reply
        .type(mediaType)
        .header('content-disposition', `attachment; filename="video-${id}.${format}"`)
        .send(lines);
    },
  });
}
