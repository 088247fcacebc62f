import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FirstNear } from './first-near.js';

/** What the thread is given. */
export interface NearTask {
  /** Fingerprints, of four numbers each. */
  readonly bits: Uint32Array<ArrayBuffer>;
  /** Of each image, see `sideOf`; null where groups are wanted. */
  readonly sides: Uint8Array<ArrayBuffer> | null;
}

/** `findFirstNear` in a thread, which ends when the signal fires. The arrays are moved to it. */
export function findFirstNearInThread(
  bits: NearTask['bits'],
  sides: Uint8Array<ArrayBuffer>,
  signal?: AbortSignal,
): Promise<FirstNear> {
  return run({ bits, sides }, signal);
}

/** `groupNear` in a thread, which ends when the signal fires. The array is moved to it. */
export function groupNearInThread(bits: NearTask['bits'], signal?: AbortSignal): Promise<Int32Array> {
  return run({ bits, sides: null }, signal);
}

/** What it answers follows from the task. */
async function run<Found>(task: NearTask, signal?: AbortSignal): Promise<Found> {
  const worker = new Worker(new URL('./near-worker.js', import.meta.url), {
    name: 'near-images',
    workerData: task,
    transferList: [task.bits.buffer, ...(task.sides ? [task.sides.buffer] : [])],
    execArgv: [],
  });
  try {
    const [found] = await once(worker, 'message', signal && { signal });
    return found;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}
