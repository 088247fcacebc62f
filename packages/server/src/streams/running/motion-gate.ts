interface MotionGateOptions {
  /** False: each frame is analysed. */
  readonly isOn: boolean;
  /** The share from which a change is motion. */
  readonly minArea: number;
}

/** An object that stops is still looked at for so long, so that it is confirmed, or known to be gone. */
const holdMs = 2000;
/** Without motion, one frame is analysed in this time: what came unseen is found, and what stands still is known to be there. */
const lookAgainMs = 10_000;

/** Decides which frames are analysed. */
export function createMotionGate({ isOn, minArea }: MotionGateOptions) {
  let openUntilMs = Number.NEGATIVE_INFINITY;
  let openedMs = Number.NEGATIVE_INFINITY;
  return {
    /**
     * @param atMs by a clock that does not go back
     * @param motion the share of the image that changed, from 0 to 1
     * @param isFollowing whether an object that moves is followed
     */
    isOpen(atMs: number, motion: number, isFollowing: boolean): boolean {
      if (motion >= minArea || isFollowing) openUntilMs = atMs + holdMs;
      const isDue = !isOn || atMs <= openUntilMs || atMs - openedMs >= lookAgainMs;
      if (isDue) openedMs = atMs;
      return isDue;
    },
  };
}
