import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id } from '../../../http/api/fields.js';
import { foldSettings } from '../../../http/api/fold-settings.js';
import { PageOf, pageRequest, paging, toLargePageAnswer } from '../../../http/api/paging.js';
import type { ApiScope } from '../../../http/api/scope.js';
import type { Job } from '../../../service/jobs/job.js';
import { type Video as DomainVideo, videoKind } from '../video.js';
import type { VideoDeps } from './deps.js';
import { VideoParams } from './fields.js';
import { fromSettings, SettingsInput } from './settings.js';
import { Receipt, toVideo, Video } from './video.js';

const VideoList = PageOf(Video, 'A page of videos');
const tags = ['videos'];

/** Video files, and how far the work on them is. */
export function addVideoRecordRoutes(app: ApiScope, deps: VideoDeps): void {
  const { videos, deletion } = deps.videoStore;

  app.get('/videos', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listVideos',
      summary: 'Videos of this account, the newest first, each with the state of the work on it',
      querystring: exactly(paging),
      response: { 200: VideoList },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const page = await videos.list(accountId, pageRequest(Id, request.query));
      const jobs = await jobsOf(deps, accountId, page.items);
      return toLargePageAnswer(reply, page, (video) => toVideo(video, jobs.get(String(video.id))));
    },
  });

  app.get('/videos/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readVideo',
      summary: 'One video, with the state of the work on it',
      params: VideoParams,
      response: { 200: Video },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      return showVideo(deps, accountId, await videos.read(accountId, request.params.id));
    },
  });

  app.post('/videos/:id/analyses', {
    config: { right: 'change', audit: ['videos.analyse', 'video'] },
    preValidation: foldSettings,
    schema: {
      tags,
      operationId: 'analyseVideo',
      summary: 'Has a video analysed again, with other settings where they are given',
      description:
        'Settings that are left out stay. A video by its address that could not be fetched is fetched again. The timeline of before can be read until the new one is there.',
      params: VideoParams,
      body: Type.Optional(exactly({ settings: Type.Optional(SettingsInput) })),
      response: { 202: Video },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { settings } = request.body ?? {};
      const video = await videos.analyseAgain(
        accountId,
        request.params.id,
        settings && fromSettings(settings),
      );
      return showVideo(deps, accountId, video);
    },
  });

  app.delete('/videos/:id', {
    config: { right: 'change', audit: ['videos.delete', 'video'] },
    schema: {
      tags,
      operationId: 'deleteVideo',
      summary: 'Deletes a video with its file, its timeline and its thumbnails; work on it ends',
      params: VideoParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { bytes } = await deletion.removeVideo(callerOf(request).accountId, request.params.id);
      return { file_bytes: bytes };
    },
  });
}

export async function showVideo(deps: VideoDeps, accountId: number, video: DomainVideo) {
  const jobs = await jobsOf(deps, accountId, [video]);
  return toVideo(video, jobs.get(String(video.id)));
}

function jobsOf(
  { jobs }: VideoDeps,
  accountId: number,
  videos: readonly DomainVideo[],
): Promise<ReadonlyMap<string, Job>> {
  return jobs.latestOf(
    accountId,
    videoKind,
    videos.map(({ id }) => String(id)),
  );
}
