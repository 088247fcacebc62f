import { parentPort, workerData } from 'node:worker_threads';
import { unlockKey } from './unlocked-key.js';

const { privateKey, passphrase }: { privateKey: string; passphrase: string } = workerData;
let unlocked: string | null = null;
try {
  unlocked = unlockKey(privateKey, passphrase);
} catch {
  // Told by there being none.
}
parentPort?.postMessage(unlocked);
