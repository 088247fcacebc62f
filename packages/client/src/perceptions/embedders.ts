import type { DeletionReceipt, EmbedderState, FaceChain } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { perceptionPath } from './perceptions.js';

export interface ChangeEmbedderOptions extends CallOptions {
  readonly chain: FaceChain;
  /** Whether to change although images cannot be described; false unless given. */
  readonly leaveOut?: boolean | undefined;
}

const pathOf = (modelId: number) => `${perceptionPath(modelId)}/embedder`;

/** By which model the images of a perception are described. */
export function createEmbedders(send: Send) {
  const calls = {
    /** Which model that is, and how a change of it gets on. */
    read: async (modelId: number, options: CallOptions = {}): Promise<EmbedderState> =>
      ask(send, { method: 'GET', path: pathOf(modelId) }, options),

    /** Begins to describe all images by another chain of models; searches use it once all are. */
    change: async (modelId: number, options: ChangeEmbedderOptions): Promise<EmbedderState> => {
      const json = { chain: options.chain, leave_out: options.leaveOut };
      return ask(send, { method: 'PUT', path: pathOf(modelId), json }, options);
    },

    /** Ends a change that is under way, held or failed. */
    cancelChange: async (modelId: number, options: CallOptions = {}): Promise<EmbedderState> =>
      ask(send, { method: 'DELETE', path: `${pathOf(modelId)}/change` }, options),

    /** Deletes the vectors of models that are not in use. */
    forgetKept: async (modelId: number, options: CallOptions = {}): Promise<DeletionReceipt> =>
      ask(send, { method: 'DELETE', path: `${pathOf(modelId)}/kept` }, options),
  };
  return checked('embedders', calls, {
    change: [1, { chain: 'needed', leaveOut: 'optional' }],
  });
}
