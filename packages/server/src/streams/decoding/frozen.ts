import type { Frame } from './frame.js';

const sampledPixels = 1024;
const maxWaitMs = 600_000;

/** Notices a source that repeats one image. A camera never does: there is noise in each of its images. */
export function createFrozenDetector(frozenAfterMs: number) {
  let hash: number | null = null;
  let sinceMs = 0;
  let waitMs = frozenAfterMs;
  let dueAtMs = 0;
  return {
    /**
     * `frozen` once the image has been the same for long enough; `reopen` when a frozen source should also be opened again: once, and
     * after longer and longer times while its image stays the same.
     */
    look(frame: Frame, nowMs: number): 'moving' | 'frozen' | 'reopen' {
      const next = hashFrame(frame);
      if (next !== hash) {
        hash = next;
        sinceMs = nowMs;
        waitMs = frozenAfterMs;
        dueAtMs = nowMs + waitMs;
      }
      if (nowMs - sinceMs < frozenAfterMs) return 'moving';
      if (nowMs < dueAtMs) return 'frozen';
      waitMs = Math.min(maxWaitMs, waitMs * 2);
      dueAtMs = nowMs + waitMs;
      return 'reopen';
    },
  };
}

/** FNV-1a (Fowler, Noll, Vo) over the small image and over pixels spread over the large one. */
function hashFrame({ motion, pixels }: Frame): number {
  let hash = 0x811c9dc5;
  const add = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193);
  };
  for (const byte of motion.pixels) add(byte);
  const step = Math.max(1, Math.floor(pixels.length / sampledPixels));
  for (let at = 0; at < pixels.length; at += step) add(pixels[at] ?? 0);
  return hash >>> 0;
}
