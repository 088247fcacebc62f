import type { ModelRunner } from '@lynceus/engine';
import { EngineError } from '@lynceus/engine';
import type { Clock } from '../../../core/clock.js';
import type { Logger } from '../../../core/logger.js';
import { ServiceError } from '../../../core/service-error.js';
import type { Settings } from '../../../core/settings.js';
import type { Spool } from '../../../intake/spool.js';
import { whenFree } from '../../../recognition/when-free.js';
import { type Job, type JobControl, JobFailure, type JobKind } from '../../../service/jobs/job.js';
import { createTimeLeft } from '../../../service/jobs/time-left.js';
import type { HeldFile } from '../../../storage/blobs/blob-store.js';
import type { Database } from '../../../storage/database.js';
import { findFfmpeg } from '../../decoding/find-ffmpeg.js';
import { type Decoder, openDecoder } from '../../decoding/open-decoder.js';
import type { FrameQuota } from '../../frame-quota.js';
import type { Media } from '../../media.js';
import { type AnalyseFrameDeps, createAnalyseFrame } from '../../running/analyse-frame.js';
import { createFileSource } from '../../sources/file-source.js';
import { StreamFailure } from '../../sources/stream-source.js';
import type { VideoFiles } from '../../video-files.js';
import { maxVideoSidePx, type ProbedVideo, probeVideo, tooLong } from '../probe-video.js';
import { timelineLimits } from '../timeline/timeline.js';
import { type Video, videoKind } from '../video.js';
import type { VideoSettings } from '../video-settings.js';
import type { Videos } from '../videos.js';
import { analyseVideo } from './analyse-video.js';
import { createBestImages } from './best-images.js';
import { openFrameAllowance } from './frame-allowance.js';
import { keepFindings } from './keep-findings.js';

interface VideoJobDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly videos: Pick<Videos, 'read'>;
  readonly videoFiles: VideoFiles;
  readonly media: Pick<Media, 'write' | 'files'>;
  readonly spool: Pick<Spool, 'createFile'>;
  readonly frameQuota: Pick<FrameQuota, 'reserve' | 'giveBack' | 'read'>;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly analysing: Omit<AnalyseFrameDeps, 'runner' | 'priority'>;
  /** Brings the file of a video that came by its address. */
  readonly fetchFile: (job: Job, control: JobControl) => Promise<void>;
  readonly settings: Pick<
    Settings,
    | 'dataDir'
    | 'ffmpegPath'
    | 'streamDecoderMaxBytes'
    | 'videoMaxSeconds'
    | 'inferenceProcesses'
    | 'maxPixels'
  >;
}

const maxAttempts = 3;
/** Of different accounts, so that a long video of one does not hold up the others. */
const concurrency = 2;
/** However many inference processes there are: each is a picture in the spool. */
const maxFramesAtOnce = 8;
/** Where a video changes its size, there may be one more frame. */
const spareFrames = 1000;
/** Of ffmpeg, behind everything that somebody waits for. */
const niceness = 10;

/**
 * Fetches a video where it came by its address, and looks through it: its timeline and its thumbnails come of it, in one unit, in
 * the place of those of an analysis before. Begun again, it looks through all of it again.
 */
export function createVideoJob(deps: VideoJobDeps): JobKind {
  const run: JobKind['run'] = async (job, control) => {
    try {
      await deps.fetchFile(job, control);
      const video = await deps.videos.read(job.accountId, Number(job.subject));
      const held = await deps.videoFiles.hold(job.accountId, video.id);
      if (held === null) throw new JobFailure('the file of the video is there no longer');
      try {
        return await lookThrough(deps, { job, control, video, held });
      } finally {
        held.release();
      }
    } catch (error) {
      control.signal.throwIfAborted();
      throw toFailure(error);
    }
  };
  return { kind: videoKind, role: 'streams', maxAttempts, concurrency, waitsForRoom: true, run };
}

interface VideoWork {
  readonly job: Job;
  readonly control: JobControl;
  readonly video: Video;
  readonly held: HeldFile;
}

async function lookThrough(deps: VideoJobDeps, work: VideoWork) {
  const { settings, frameQuota, media, runner } = deps;
  const { control, video, held } = work;
  const { accountId } = work.job;
  const { signal } = control;
  const ffmpeg = await findFfmpeg(settings.ffmpegPath, [settings.dataDir]);
  const probed = await probeVideo(held.path, {
    ...{ ffmpeg, maxMemoryBytes: settings.streamDecoderMaxBytes },
    ...{ maxSeconds: settings.videoMaxSeconds, signal },
  });
  const images = createBestImages({
    ...{ media, accountId, videoId: video.id, signal },
    runner: { analyse: (job, options) => whenFree(() => runner.analyse(job, options), signal) },
    maxImages: timelineLimits.thumbnails,
    maxPixels: settings.maxPixels,
    onFailure: (error) =>
      deps.logger.warn(
        { err: error, accountId, videoId: video.id },
        'an image of a track of a video was left out; others of this video are not logged',
      ),
  });
  const allowance = await openFrameAllowance(
    frameQuota,
    accountId,
    expectedFrames(video, probed),
    deps.clock,
  );
  let decoder: Decoder | undefined;
  try {
    decoder = await openDecoder(
      {
        ...{ ffmpeg, source: createFileSource(held.path), pace: 'every-frame' },
        ...{ fps: video.settings.fps, frameSize: frameSizeOf(probed, video.settings) },
        limits: {
          maxMemoryBytes: settings.streamDecoderMaxBytes,
          maxPixels: maxVideoSidePx * maxVideoSidePx,
          niceness,
        },
      },
      signal,
    );
    const report = createReport(control, probed);
    let lastMs = 0;
    let frames = 0;
    const maxFrames = settings.videoMaxSeconds * video.settings.fps + spareFrames;
    const timeline = await analyseVideo(
      {
        ...{ decoder, images, spool: deps.spool, signal },
        analyse: createAnalyseFrame(
          { ...deps.analysing, runner, priority: 'batch' },
          accountId,
          video.settings,
        ),
        framesAtOnce: Math.min(maxFramesAtOnce, Math.max(1, settings.inferenceProcesses)),
        async takeFrame(atMs) {
          if (atMs > settings.videoMaxSeconds * 1000) throw tooLong(settings.videoMaxSeconds);
          frames += 1;
          if (frames > maxFrames) throw new JobFailure('the video is damaged: its frames have no times');
          await allowance.take();
        },
        onFrame(atMs) {
          lastMs = Math.max(lastMs, atMs);
          report('analysing', atMs);
        },
        onWaitForRoom: () => report('waiting for room', lastMs),
      },
      video.settings,
      probed,
    );
    const info = { ...probed, durationSeconds: probed.durationSeconds ?? lastMs / 1000 };
    const found = { timeline, info, images };
    await keepFindings(deps, { accountId, videoId: video.id, fence: control.fence }, found);
    return { tracks: timeline.tracks.length, duration_seconds: info.durationSeconds };
  } catch (error) {
    await images.discard();
    throw error;
  } finally {
    await decoder?.close();
    await allowance.close();
  }
}

/** Of all frames: a video that changes its size amid it is looked through to its end. */
function frameSizeOf({ width, height }: ProbedVideo, { maxWidth }: VideoSettings) {
  const reduced = Math.min(1, maxWidth / width);
  return {
    width: Math.max(1, Math.round(reduced * width)),
    height: Math.max(1, Math.round(reduced * height)),
  };
}

function expectedFrames({ settings: { fps } }: Video, probed: ProbedVideo): number | null {
  if (probed.durationSeconds === null) return null;
  const perSecond = probed.fps > 0 ? Math.min(fps, probed.fps) : fps;
  return Math.ceil(probed.durationSeconds * perSecond) + 1;
}

function createReport({ progress }: JobControl, { durationSeconds }: ProbedVideo) {
  const timeLeft = createTimeLeft(() => performance.now());
  return (name: 'analysing' | 'waiting for room', atMs: number) => {
    const stage = { stage: name, done: atMs / 1000, total: durationSeconds };
    progress({ ...stage, secondsLeft: timeLeft(stage) ?? null });
  };
}

/** What is wrong with the video, or was deleted, is so at the next attempt too. */
function toFailure(error: unknown): unknown {
  if (error instanceof JobFailure) return error;
  if (error instanceof StreamFailure) {
    const message = `the video cannot be decoded: ${error.message}`;
    return error.code === 'decoder'
      ? new Error(message, { cause: error })
      : new JobFailure(message, { cause: error });
  }
  if (error instanceof ServiceError && final.has(error.code))
    return new JobFailure(error.message, { cause: error });
  if (error instanceof EngineError && error.code === 'model-missing')
    return new JobFailure('a model that it is to be analysed with is not installed', { cause: error });
  if (error instanceof ServiceError) return error;
  // Its own words may name what is ours.
  return new Error('the service failed at it, and its log says why', { cause: error });
}

const final: ReadonlySet<ServiceError['code']> = new Set([
  'not_found',
  'invalid_model',
  'wrong_parameters',
  'no_space',
  'account_full',
  'file_too_large',
]);
