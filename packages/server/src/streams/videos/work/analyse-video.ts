import { type Box, EngineError, type EngineErrorCode, type FrameSource } from '@lynceus/engine';
import type { Spool } from '../../../intake/spool.js';
import type { RecognitionParts } from '../../../recognition/parts.js';
import type { GeneralResult } from '../../../recognition/results.js';
import { whenFree } from '../../../recognition/when-free.js';
import type { Frame } from '../../decoding/frame.js';
import type { Decoder } from '../../decoding/open-decoder.js';
import { createFrameFiles, type FrameFiles, type HeldFrame } from '../../frame-files.js';
import type { AnalyseFrame } from '../../running/analyse-frame.js';
import { createFramePlan, type OpenQuestions } from '../../running/frame-plan.js';
import { faceClasses, toObjectFilters, trackerScores } from '../../running/observe-stream.js';
import { peopleOf, toLook } from '../../running/to-look.js';
import { createTrackObserver } from '../../tracking/track-events.js';
import type { TrackEvent } from '../../tracking/track-state.js';
import { createTimelineCollector, type TimelineCollector } from '../timeline/collect-timeline.js';
import type { Timeline } from '../timeline/timeline.js';
import type { VideoInfo } from '../video.js';
import type { VideoSettings } from '../video-settings.js';
import type { BestImages } from './best-images.js';
import { createShotChange } from './shot-change.js';
import { isSpoolFull, whenRoom } from './when-room.js';

export interface AnalyseVideoDeps {
  readonly decoder: Pick<Decoder, 'next'>;
  readonly analyse: AnalyseFrame;
  readonly images: Pick<BestImages, 'keep' | 'write'>;
  readonly spool: Pick<Spool, 'createFile'>;
  /** Frames that are analysed at once. */
  readonly framesAtOnce: number;
  /** Asked before each frame; throws where no more may be analysed. */
  readonly takeFrame: (atMs: number) => Promise<void>;
  /** Called with the position of what was analysed last. */
  readonly onFrame: (atMs: number) => void;
  /** Called while there is no room for a frame. */
  readonly onWaitForRoom: () => void;
  readonly signal: AbortSignal;
}

interface FrameInWork {
  readonly atMs: number;
  /** Whether a shot begins with it. */
  readonly isShotChange: boolean;
  readonly held: HeldFrame;
  readonly result: Promise<GeneralResult | null>;
}

/** What may be wrong with one frame alone. */
const ofFrame: ReadonlySet<EngineErrorCode> = new Set([
  'process-crashed',
  'memory',
  'timeout',
  'image-too-large',
  'image-too-complex',
]);
/** In a row. */
const maxPassedOver = 10;
/** Of somebody who looks at all of a video: what is back after longer is shown as having come back. */
const maxLostMs = 3000;
/** Between better images of one track. */
const updateEveryMs = 1000;
/** How surely an image is of a class that it is listed with. */
const leastClassScore = 0.5;

/**
 * Looks at the frames of a video, several at once, and follows what is in them in their order. Throws what decoding and analysing
 * throws; a frame that no process can analyse is passed over.
 */
export async function analyseVideo(
  deps: AnalyseVideoDeps,
  settings: VideoSettings,
  { width }: Pick<VideoInfo, 'width'>,
): Promise<Timeline> {
  const { decoder, analyse, spool, framesAtOnce, takeFrame, onFrame, onWaitForRoom, signal } = deps;
  const files = createFrameFiles(spool, framesAtOnce + 1);
  const plan = createFramePlan(settings);
  const analyseOrPass = createAnalyseOrPass(analyse, signal);
  const follow = createFollower(deps, settings, width);
  const isShotChange = createShotChange();
  const inWork: FrameInWork[] = [];
  let lastMs = 0;

  const finishFirst = async () => {
    const frame = inWork.shift();
    if (frame === undefined) return;
    try {
      const result = await frame.result;
      if (result) await follow.look(result, frame);
    } finally {
      frame.held.release();
    }
    onFrame(frame.atMs);
  };

  /** With fewer frames at once where the spool has too little room, or later. */
  const keepFrame = async (frame: Frame): Promise<HeldFrame> => {
    while (inWork.length > 0) {
      try {
        return await writeFrame(files, frame);
      } catch (error) {
        if (!isSpoolFull(error)) throw error;
        await finishFirst();
      }
    }
    return whenRoom(() => writeFrame(files, frame), signal, onWaitForRoom);
  };

  try {
    for (;;) {
      const frame = await decoder.next(signal);
      if (frame === null) break;
      // Positions in damaged files are before the beginning, or go back: what is followed knows no such time.
      const atMs = Math.max(lastMs, frame.atMs);
      lastMs = atMs;
      await takeFrame(atMs);
      const held = await keepFrame(frame);
      const result = analyseOrPass(held.source, plan.next(atMs, follow.questions()));
      // It is waited for in its turn.
      result.catch(() => undefined);
      inWork.push({ atMs, isShotChange: isShotChange(frame.motion), held, result });
      if (inWork.length >= framesAtOnce) await finishFirst();
    }
    while (inWork.length > 0) await finishFirst();
    return await follow.finish(lastMs);
  } finally {
    await Promise.allSettled(inWork.map(({ result }) => result));
    await files.close();
  }
}

async function writeFrame(files: FrameFiles, frame: Frame): Promise<HeldFrame> {
  const held = await files.write(frame);
  if (held === null) throw new Error('no file of frames is free');
  return held;
}

/** Analyses of which single ones may fail. */
function createAnalyseOrPass(analyse: AnalyseFrame, signal: AbortSignal) {
  let passedOver = 0;
  /** Null for a frame that ends its process, or takes it too long. */
  return async (source: FrameSource, parts: RecognitionParts): Promise<GeneralResult | null> => {
    try {
      const { result } = await whenFree(() => analyse(source, parts, signal), signal);
      passedOver = 0;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      passedOver += 1;
      if (!(error instanceof EngineError) || !ofFrame.has(error.code) || passedOver > maxPassedOver)
        throw error;
      return null;
    }
  };
}

/** Follows objects through frames that come in their order. */
function createFollower(
  { images }: Pick<AnalyseVideoDeps, 'images'>,
  settings: VideoSettings,
  videoWidth: number,
) {
  const observer = createTrackObserver({
    ...{ filters: toObjectFilters(settings), faceClasses },
    tracker: { maxLostMs, ...trackerScores(settings) },
    updateEveryMs,
  });
  let collector: TimelineCollector | undefined;
  let questions: OpenQuestions = { people: 'none', isBest: false };

  /** Before the events are collected: what has ended is then complete. */
  const writeImages = async (events: readonly TrackEvent[]) => {
    for (const { kind, track } of events) {
      if (kind !== 'end') continue;
      const thumbnailId = await images.write(track.id, track.person?.personId ?? null);
      if (thumbnailId !== null) collector?.setThumbnail(track.id, thumbnailId);
    }
  };

  const end = async (atMs: number) => {
    const events = observer.end(atMs);
    await writeImages(events);
    collector?.end(events);
  };

  return {
    /** What the frames so far left to find out. */
    questions: () => questions,

    async look(result: GeneralResult, { atMs, held, isShotChange }: FrameInWork): Promise<void> {
      collector ??= createTimelineCollector({ scale: videoWidth / result.width, fps: settings.fps });
      if (isShotChange) await end(atMs);
      const { events, tracks, sceneTexts } = observer.observe(toLook(result, atMs));
      const best = events.filter(({ isBest }) => isBest);
      questions = { people: peopleOf(tracks), isBest: best.length > 0 };
      await Promise.all(best.map(({ track }) => images.keep(track.id, held.source, track.box)));
      await writeImages(events);
      const seen = tracks.filter(({ lastSeenAtMs }) => lastSeenAtMs === atMs);
      const classes = result.classes.filter(({ score }) => score >= leastClassScore);
      collector.add({
        ...{ atMs, events, tracks, sceneTexts },
        texts: result.texts.filter(({ box }) => !seen.some((track) => hasCentre(track.box, box))),
        imageClasses: classes.map(({ label }) => label.title),
      });
    },

    async finish(lastMs: number): Promise<Timeline> {
      collector ??= createTimelineCollector({ scale: 1, fps: settings.fps });
      await end(lastMs);
      return collector.finish();
    },
  };
}

function hasCentre(outer: Box, { xMin, yMin, xMax, yMax }: Box): boolean {
  const [x, y] = [(xMin + xMax) / 2, (yMin + yMax) / 2];
  return x >= outer.xMin && x <= outer.xMax && y >= outer.yMin && y <= outer.yMax;
}
