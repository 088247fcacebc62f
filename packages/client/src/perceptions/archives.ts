import type { ImportReceipt } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { perceptionPath } from './perceptions.js';

/** As long as the service takes for one, unless its settings say otherwise. */
const importTimeoutMs = 3_600_000;

/** Perceptions carried from one service to another. */
export function createArchives(send: Send) {
  const calls = {
    /**
     * A perception as a tar file, as it comes: read it to its end, or cancel it. The time of the call is over when it begins
     * to come.
     */
    export: async (modelId: number, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> =>
      ask(send, { method: 'GET', path: `${perceptionPath(modelId)}/export`, wants: 'archive' }, options),

    /** Creates a perception from an exported one; in Node, `await openAsBlob(path)`. An hour unless `timeoutMs` is given. */
    import: async (archive: Blob, options: CallOptions = {}): Promise<ImportReceipt> => {
      const call = {
        method: 'POST',
        path: '/api/perceptions/import',
        file: { type: 'application/x-tar', blob: archive },
        creates: true,
      } as const;
      return ask(send, call, { ...options, timeoutMs: options.timeoutMs ?? importTimeoutMs });
    },
  };
  return checked('archives', calls, {});
}
