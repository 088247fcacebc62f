import { type FrameQuota, frameDayOf } from '../frame-quota.js';

/** Frames that a stream may have analysed, reserved ahead in blocks of the quota of its account. */
export interface FrameAllowance {
  /** Whether one more may be analysed now; counts it. False too while the database cannot say, where there is a limit. */
  take(): Promise<boolean>;
  /** That the account has no frame left until midnight (UTC). */
  readonly isUsedUp: boolean;
  /** Gives back what is left. */
  close(): Promise<void>;
}

interface FrameAllowanceDeps {
  readonly quota: Pick<FrameQuota, 'reserve' | 'giveBack'>;
  readonly accountId: number;
  readonly hasLimit: boolean;
  readonly clock: () => number;
}

const blockFrames = 100;
/** Between two questions that the database did not answer. */
const askAgainMs = 1000;

export function createFrameAllowance({
  quota,
  accountId,
  hasLimit,
  clock,
}: FrameAllowanceDeps): FrameAllowance {
  let left = 0;
  let day = '';
  let isUsedUp = false;
  /** Analysed while the database was away, which is counted later. */
  let owed = 0;
  let failedMs = Number.NEGATIVE_INFINITY;

  const reserve = async (): Promise<void> => {
    if (performance.now() - failedMs < askAgainMs) return;
    try {
      const allowed = await quota.reserve(accountId, blockFrames + owed);
      left = Math.max(0, allowed - owed);
      owed = 0;
      isUsedUp = left === 0;
    } catch {
      failedMs = performance.now();
    }
  };

  return {
    get isUsedUp() {
      return isUsedUp && day === frameDayOf(clock());
    },
    async take() {
      const today = frameDayOf(clock());
      if (day !== today) {
        day = today;
        left = 0;
        isUsedUp = false;
      }
      if (left === 0) await reserve();
      if (left > 0) {
        left -= 1;
        return true;
      }
      if (hasLimit) return false;
      owed += 1;
      return true;
    },
    async close() {
      const unused = day === frameDayOf(clock()) ? left : 0;
      left = 0;
      if (unused > 0) await quota.giveBack(accountId, unused).catch(() => undefined);
    },
  };
}
