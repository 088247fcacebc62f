import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DeliveryError } from './destination.js';

/**
 * A private key without its passphrase. In a thread of its own: OpenSSH derives the key's key slowly by design, for half a
 * second here. Throws `credentials`.
 */
export async function unlockInThread(
  privateKey: string,
  passphrase: string,
  signal: AbortSignal,
): Promise<string> {
  const worker = new Worker(new URL('./unlock-worker.js', import.meta.url), {
    name: 'unlock-key',
    workerData: { privateKey, passphrase },
    execArgv: [],
  });
  try {
    const [unlocked]: unknown[] = await once(worker, 'message', { signal });
    if (typeof unlocked === 'string') return unlocked;
    throw new DeliveryError('credentials', 'the private key cannot be opened; check it and its passphrase');
  } finally {
    await worker.terminate();
  }
}
