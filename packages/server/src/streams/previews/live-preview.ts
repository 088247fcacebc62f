import type { ModelRunner } from '@lynceus/engine';
import type { GeneralResult } from '../../recognition/results.js';
import type { HeldFrame } from '../frame-files.js';
import { drawFrame } from './draw-frame.js';
import { createFrameChannel } from './frame-channel.js';
import { drawOnce, type ObjectMark } from './shown-frame.js';

/** The last frame of a stream that this service runs, in its file until a newer one takes its place. */
export type LivePreview = ReturnType<typeof createLivePreview>;

interface SeenInFrame {
  readonly atMs: number;
  /** Null where it was not analysed. */
  readonly result: GeneralResult | null;
  readonly marks: readonly ObjectMark[];
}

export function createLivePreview(deps: {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly accountId: number;
  readonly maxPixels: number;
}) {
  const channel = createFrameChannel();
  let held: { readonly frame: HeldFrame; isGone: boolean } | null = null;
  let index = 0;
  const letGo = () => {
    if (held === null) return;
    held.isGone = true;
    held.frame.release();
    held = null;
  };
  return {
    channel,
    /** The frame is held until the next one, or the end. */
    show(frame: HeldFrame, { atMs, result, marks }: SeenInFrame) {
      letGo();
      frame.hold();
      const now = { frame, isGone: false };
      held = now;
      index += 1;
      const { width, height } = frame.source;
      channel.show({
        ...{ index, atMs, width, height, result, marks },
        toJpeg: drawOnce(async (options) => {
          if (now.isGone) return null;
          frame.hold();
          try {
            return await drawFrame(deps, frame.source, marks, options);
          } finally {
            frame.release();
          }
        }),
      });
    },
    /** Lets the last frame go. */
    end() {
      channel.end();
      letGo();
    },
  };
}
