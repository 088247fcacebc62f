import type { ModelRunner } from '@lynceus/engine';
import type { RecognitionParts } from '../../recognition/parts.js';
import type { GeneralResult } from '../../recognition/results.js';
import type { Frame } from '../decoding/frame.js';
import type { FrameFiles, HeldFrame } from '../frame-files.js';
import { createMotionMeter } from '../motion.js';
import { drawFrame } from '../previews/draw-frame.js';
import type { LivePreview } from '../previews/live-preview.js';
import type { ObjectMark } from '../previews/shown-frame.js';
import type { StreamSettings } from '../stream-settings.js';
import type { TrackObserver } from '../tracking/track-events.js';
import type { SceneText, TrackEvent, TrackState } from '../tracking/track-state.js';
import type { AnalyseFrame } from './analyse-frame.js';
import type { FpsShare } from './fps-budget.js';
import type { FrameAllowance } from './frame-allowance.js';
import { createFramePlan } from './frame-plan.js';
import type { FrameSlots } from './frame-slots.js';
import { createMotionGate } from './motion-gate.js';
import type { EventFrame } from './record-events.js';
import type { TextFrame } from './record-texts.js';
import { peopleOf, toLook } from './to-look.js';

export interface LookAtFramesDeps {
  readonly accountId: number;
  readonly settings: StreamSettings;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly maxPixels: number;
  readonly analyse: AnalyseFrame;
  readonly observer: TrackObserver;
  readonly files: FrameFiles;
  readonly slots: FrameSlots;
  readonly share: FpsShare;
  readonly allowance: FrameAllowance;
  readonly preview: LivePreview;
  /** Of a place in fractions of the image. */
  readonly isMasked: (x: number, y: number) => boolean;
  readonly onEvents: (events: readonly TrackEvent[], frame: EventFrame) => void;
  /** Texts on no object. */
  readonly onTexts: (texts: readonly SceneText[], frame: TextFrame) => void;
  readonly onAnalysed: () => void;
  /** A frame that was due is beyond the share of the stream. */
  readonly onLeftOut: () => void;
}

/** An object that was seen within this time is marked in frames. */
const markedForMs = 1500;
const nothing: RecognitionParts = new Set();
const snapshotSidePx = 3840;
const encodeAttempts = 3;

/** Frames of one run of a stream, one at a time: which are analysed, what follows from it, what is shown. */
export function createFrameLooker(deps: LookAtFramesDeps) {
  const { settings, analyse, observer, files, slots, share, allowance, preview, onEvents } = deps;
  const motion = createMotionMeter({ isMasked: deps.isMasked });
  const gate = createMotionGate({ isOn: settings.motionGate, minArea: settings.motionMinArea });
  const plan = createFramePlan(settings);
  let tracks: readonly TrackState[] = [];
  let isBest = false;
  let size = { width: 0, height: 0 };

  /** What the frame is analysed for; nothing where it is not. */
  const choose = async (frame: Frame, nowMs: number): Promise<RecognitionParts> => {
    const moved = motion.look(frame.motion, nowMs);
    const isFollowing = tracks.some(({ isStationary }) => !isStationary);
    const parts = plan.choose(nowMs, { people: peopleOf(tracks), isBest });
    const isDue = gate.isOpen(nowMs, moved, isFollowing) && parts.size > 0;
    if (!isDue) return nothing;
    if (!share.take(nowMs)) {
      deps.onLeftOut();
      return nothing;
    }
    if (!(await allowance.take())) return nothing;
    plan.begin(nowMs, parts);
    return parts;
  };
  const encode = async (frame: HeldFrame): Promise<Uint8Array | null> => {
    frame.hold();
    try {
      for (let attempt = 0; attempt < encodeAttempts; attempt++) {
        const jpeg = await drawFrame(deps, frame.source, [], { hasBoxes: false, maxSidePx: snapshotSidePx });
        if (jpeg !== null) return jpeg;
      }
      return null;
    } finally {
      frame.release();
    }
  };
  const report = (events: readonly TrackEvent[], encodeIt: EventFrame['encode']) => {
    if (events.length > 0) onEvents(events, { ...size, encode: encodeIt });
  };
  const withoutImage = async () => null;

  const analyseInTurn = async (held: HeldFrame, parts: RecognitionParts, signal: AbortSignal) => {
    const beganMs = performance.now();
    const release = await slots.take(signal);
    try {
      const turnMs = performance.now() - beganMs;
      const { result, queueMs } = await analyse(held.source, parts, signal);
      return { result, waitedMs: turnMs + queueMs };
    } finally {
      release();
    }
  };
  const look = async (
    held: HeldFrame,
    atMs: number,
    parts: RecognitionParts,
    signal: AbortSignal,
  ): Promise<GeneralResult> => {
    const { result, waitedMs } = await analyseInTurn(held, parts, signal);
    share.waited(waitedMs);
    deps.onAnalysed();
    const seen = observer.observe(toLook(result, atMs));
    tracks = seen.tracks;
    isBest = seen.events.some((event) => event.isBest);
    report(seen.events, () => encode(held));
    deps.onTexts(seen.sceneTexts, { atMs, ...size });
    return asAnswered(result, settings);
  };

  return {
    /** What the frame holds may be overwritten once it resolves. Throws what the analysis throws. */
    async take(frame: Frame, signal: AbortSignal) {
      const nowMs = performance.now();
      size = { width: frame.width, height: frame.height };
      const parts = await choose(frame, nowMs);
      if (parts.size === 0 && preview.channel.watchers === 0) return;
      const held = await files.write(frame);
      if (held === null) return;
      try {
        const { atMs } = frame;
        const result = parts.size > 0 ? await look(held, atMs, parts, signal) : null;
        preview.show(held, { atMs, result, marks: toMarks(tracks, atMs) });
      } finally {
        held.release();
      }
    },
    /** No frame has come for a while: objects that are lost end. */
    miss(atMs: number) {
      if (tracks.length === 0) return;
      const seen = observer.observe({ atMs, ...size, detections: [], faces: [], texts: [] });
      tracks = seen.tracks;
      report(seen.events, withoutImage);
    },
    /** All objects end. */
    end(atMs: number) {
      tracks = [];
      report(observer.end(atMs), withoutImage);
    },
  };
}

/** Objects that are seen too faintly to be answered continue tracks all the same. */
function asAnswered(result: GeneralResult, { minScore }: StreamSettings): GeneralResult {
  return { ...result, objects: result.objects.filter(({ score }) => score >= minScore) };
}

function toMarks(tracks: readonly TrackState[], atMs: number): readonly ObjectMark[] {
  return tracks
    .filter(({ lastSeenAtMs }) => atMs - lastSeenAtMs <= markedForMs)
    .map(({ box, label, score, person }) => ({
      box,
      title: person === null ? label.title : person.name,
      note: (person?.score ?? score).toFixed(2),
    }));
}
