import { createFiles } from './account/files.js';
import { createKeys } from './account/keys.js';
import { createUsage } from './account/usage.js';
import { createHealth } from './health.js';
import { type CallOptions, type ClientOptions, checkOptions } from './options.js';
import { createDetect } from './recognition/detect.js';
import { createFaces } from './recognition/faces.js';
import { createRecognise } from './recognition/recognise.js';
import { ask } from './service/call.js';
import { createSend } from './service/send.js';
import type { Account } from './types/account.js';

export type LynceusClient = ReturnType<typeof createLynceusClient>;

/**
 * A client of one service with one key. Every call throws a LynceusError when it fails. Throws a TypeError for options
 * that cannot be used.
 */
export function createLynceusClient(options: ClientOptions) {
  const send = createSend(checkOptions(options));
  return {
    ...createRecognise(send),
    ...createDetect(send),
    faces: createFaces(send),
    files: createFiles(send),
    keys: createKeys(send),
    usage: createUsage(send),
    /** The plan of the account, and its calls used and left. */
    account: async (callOptions: CallOptions = {}): Promise<Account> =>
      ask(send, { method: 'GET', path: '/api/account' }, callOptions),
    health: createHealth(send),
  };
}
