import { type Static, Type } from 'typebox';
import { toAnswer } from '../../../http/api/answer.js';
import { Time, TimeOrNull } from '../../../http/api/fields.js';
import { Job, toJob } from '../../../http/api/job.js';
import type { Job as DomainJob } from '../../../service/jobs/job.js';
import type { Video as DomainVideo } from '../video.js';
import { Settings, toSettings } from './settings.js';

export const VideoInfo = Type.Object(
  {
    duration_seconds: Type.Number(),
    width: Type.Integer({ description: 'in pixels, as it is shown' }),
    height: Type.Integer(),
    codec: Type.String({ examples: ['h264'] }),
    fps: Type.Number({ description: 'frames a second on average; 0: the file does not say' }),
  },
  { title: 'VideoInfo' },
);

export const Video = Type.Object(
  {
    id: Type.Integer({ examples: [1001] }),
    uid: Type.String(),
    name: Type.String({ examples: ['entrance.mp4'] }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'where it is fetched from, without what is secret in it; null for an upload',
    }),
    settings: Settings,
    state: Type.Enum(['waiting', 'running', 'done', 'failed', 'cancelled'], {
      description: 'of the latest work on it',
    }),
    has_timeline: Type.Boolean({
      description: 'whether a timeline can be read; while it is analysed again, that of before',
    }),
    job: Type.Union([Job, Type.Null()], {
      description: 'the work on it: how far it is, or why it failed; null 90 days after its end',
    }),
    file: Type.Union([Type.Object({ media_type: Type.String(), bytes: Type.Integer() }), Type.Null()], {
      description: 'null while it is fetched',
    }),
    info: Type.Union([VideoInfo, Type.Null()], { description: 'null before it was looked at' }),
    created_at: Time,
    expires_at: TimeOrNull,
  },
  { title: 'Video', description: 'A video file, and what is looked for in it' },
);

export const Receipt = Type.Object(
  { file_bytes: Type.Integer({ description: 'of the video, its thumbnails and its timeline' }) },
  { title: 'VideoReceipt', description: 'What was deleted, for good' },
);

export function toVideo(video: DomainVideo, job: DomainJob | undefined): Static<typeof Video> {
  const { settings, file, info, timelineId } = video;
  return toAnswer(Video, video, {
    settings: toSettings(settings),
    state: stateOf(video, job),
    has_timeline: timelineId !== null,
    job: job ? toJob(job) : null,
    file: file && { media_type: file.mediaType, bytes: file.sizeBytes },
    info: info && toAnswer(VideoInfo, info),
  });
}

/** The timeline stays when the job is forgotten. */
function stateOf({ timelineId }: DomainVideo, job: DomainJob | undefined) {
  if (job !== undefined && job.state !== 'done') return job.state;
  return timelineId === null ? 'failed' : 'done';
}
