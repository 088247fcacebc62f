import type { Recognition } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { readEvents } from '../service/read-events.js';
import { streamPath } from './streams.js';

export interface FrameOptions extends CallOptions {
  /** Mark the objects that are followed. */
  readonly boxes?: boolean | undefined;
  /** The longer side in pixels, 64 to 3840; 1280 unless given. */
  readonly maxSide?: number | undefined;
}

/** What general recognition answers for an image, of a frame; under its `fileid` nothing is kept. */
export interface StreamTags extends Recognition {
  readonly stream_id: number;
  readonly frame_time: string;
}

export interface ViewOptions extends FrameOptions {
  /** Frames a second at most, 0.1 to 15; 5 unless given. */
  readonly fps?: number | undefined;
}

/** What streams show now. */
export function createStreamViews(send: Send) {
  const calls = {
    /** The newest frame as JPEG; `not_found` where there is none. */
    readFrame: async (id: number, options: FrameOptions = {}): Promise<Blob> => {
      const query = { boxes: options.boxes, max_side: options.maxSide };
      const call = { method: 'GET', path: `${streamPath(id)}/latest.jpg`, query, wants: 'image' } as const;
      return ask(send, call, options);
    },

    /** Motion JPEG, as it comes, without end: cancel it. */
    view: async (id: number, options: ViewOptions = {}): Promise<ReadableStream<Uint8Array>> => {
      const query = { fps: options.fps, boxes: options.boxes, max_side: options.maxSide };
      const call = { method: 'GET', path: `${streamPath(id)}/view.mjpg`, query, wants: 'frames' } as const;
      return ask(send, call, options);
    },

    /** What is found in each analysed frame, for `for await`, until the loop is left or the connection lost. */
    async *followTags(id: number, options: CallOptions = {}): AsyncGenerator<StreamTags, void, undefined> {
      const call = { method: 'GET', path: `${streamPath(id)}/tags`, wants: 'events' } as const;
      const stream = await ask<ReadableStream<Uint8Array>>(send, call, options);
      for await (const { data } of readEvents(stream)) yield data as StreamTags;
    },
  };
  return checked('streamViews', calls, {
    readFrame: [1, { boxes: 'optional', maxSide: 'optional' }],
    view: [1, { boxes: 'optional', maxSide: 'optional', fps: 'optional' }],
    followTags: [1, {}, true],
  });
}
