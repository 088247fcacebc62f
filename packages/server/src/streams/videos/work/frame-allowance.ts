import type { Clock } from '../../../core/clock.js';
import { JobFailure } from '../../../service/jobs/job.js';
import { type FrameQuota, frameDayOf } from '../../frame-quota.js';

/** Frames of a video, counted against those that its account has a day. */
export interface FrameAllowance {
  /** One more. Throws `JobFailure` where there are none left today. */
  take(): Promise<void>;
  /** Gives back what was counted ahead. */
  close(): Promise<void>;
}

/** Counted ahead of a video whose length is not known. */
const blockFrames = 200;

/**
 * Counts all frames of a video ahead, so that one for which there are not enough today does not begin. Throws `JobFailure`.
 * @param expectedFrames null where nobody knows
 */
export async function openFrameAllowance(
  quota: Pick<FrameQuota, 'reserve' | 'giveBack' | 'read'>,
  accountId: number,
  expectedFrames: number | null,
  clock: Clock,
): Promise<FrameAllowance> {
  let left = 0;
  /** On which those that are left were counted. */
  let day = '';
  const giveBack = async () => {
    // What was counted yesterday is in no count of today.
    const unused = day === frameDayOf(clock()) ? left : 0;
    left = 0;
    if (unused > 0) await quota.giveBack(accountId, unused);
  };
  const reserve = async (frames: number, least: number) => {
    day = frameDayOf(clock());
    left += await quota.reserve(accountId, frames);
    if (left >= least) return;
    const available = left;
    await giveBack();
    const { limitPerDay } = await quota.read(accountId);
    throw new JobFailure(
      `the video needs ${least} more frames to be analysed, and ${available} of the account's ${limitPerDay} are left today (UTC): choose fewer frames a second, or begin again tomorrow`,
    );
  };
  const expected = Math.max(1, expectedFrames ?? 1);
  await reserve(expectedFrames === null ? blockFrames : expected, expected);
  return {
    async take() {
      if (left === 0) await reserve(blockFrames, 1);
      left -= 1;
    },
    close: giveBack,
  };
}
