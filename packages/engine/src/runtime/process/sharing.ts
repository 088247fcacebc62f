import type { OpenedImage } from '../../image/pixel-image.js';
import { type SharedPixels, writePixels } from '../../image/raw-pixels.js';
import type { Command, Report } from '../messages.js';

/** Questions of an inference process about a job that other processes may help with. */
export interface Sharing {
  /** The empty file to write `bytes` of pixels into; null: no process is idle, or the limit is reached. */
  offer(bytes: number): Promise<string | null>;
  publish(pixels: SharedPixels): void;
  /** The index of the chain to run next; null: none is left. */
  claim(): Promise<number | null>;
}

type Answer = Command & { type: 'share' | 'chain' };

export interface Conversation extends Sharing {
  hear(answer: Answer): void;
}

/** The questions of one job, asked one at a time over the channel. An abort ends the waiting for an answer. */
export function converse(id: number, send: (report: Report) => void, signal: AbortSignal): Conversation {
  let hear: (answer: Answer) => void = () => {};
  const ask = (report: Report) =>
    new Promise<Answer>((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      hear = (answer) => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      };
      send(report);
    });
  return {
    async offer(bytes) {
      const answer = await ask({ type: 'decoded', id, bytes });
      return answer.type === 'share' ? answer.path : null;
    },
    publish: (pixels) => send({ type: 'shared', id, pixels }),
    async claim() {
      const answer = await ask({ type: 'next', id });
      return answer.type === 'chain' ? answer.index : null;
    },
    hear: (answer) => hear(answer),
  };
}

/** The chains that this process is to run: all of them, or, when the pixels could be shared, each one it can claim. */
export async function* chainsToRun<Chain>(
  chains: readonly Chain[],
  image: OpenedImage,
  sharing: Sharing | undefined,
): AsyncGenerator<Chain> {
  if (!sharing || !(await sharePixels(image, sharing))) {
    yield* chains;
    return;
  }
  for (;;) {
    const index = await sharing.claim();
    const chain = index === null ? undefined : chains[index];
    if (chain === undefined) return;
    yield chain;
  }
}

async function sharePixels(image: OpenedImage, sharing: Sharing): Promise<boolean> {
  // Its file is shared already.
  if (image.kind === 'frame') return true;
  if (!image.pixels) return false;
  const path = await sharing.offer(image.pixels.data.byteLength);
  if (path === null) return false;
  try {
    sharing.publish(writePixels(path, image));
    return true;
  } catch {
    // For example the disk is full: then this process runs all chains.
    return false;
  }
}
