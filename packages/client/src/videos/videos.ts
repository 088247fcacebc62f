import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { Video, VideoReceipt, VideoSettingsInput, VideoTimeline } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface CreateVideoOptions extends CallOptions {
  /** 1 to 200 characters; the name of the file unless given. */
  readonly name?: string | undefined;
  /** Those that are left out are as usual. */
  readonly settings?: VideoSettingsInput | undefined;
}

export interface AnalyseVideoOptions extends CallOptions {
  /** Those that are left out stay as they are. */
  readonly settings?: VideoSettingsInput | undefined;
}

const path = '/api/videos';
const pathOf = (id: number) => `${path}/${toPathPart('id', id)}`;

/** Video files, and what was found when in them. */
export function createVideos(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<Video>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const calls = {
    /** One page of `list`. */
    page,

    /** All videos, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Sends a file and has it analysed; it is kept when the answer comes. Give large files a `timeoutMs`. */
    upload: async (file: File, options: CreateVideoOptions = {}): Promise<Video> => {
      const form = new FormData();
      // Fields before the file: the service reads them as they come.
      if (options.name !== undefined) form.set('name', options.name);
      if (options.settings !== undefined) form.set('settings', JSON.stringify(options.settings));
      form.set('file', file);
      return ask(send, { method: 'POST', path, form, creates: true }, options);
    },

    /** Has the service fetch a video from an http or https address, and analyse it. */
    addByAddress: async (address: string, options: CreateVideoOptions = {}): Promise<Video> => {
      const json = { address, name: options.name, settings: options.settings };
      return ask(send, { method: 'POST', path, json, creates: true }, options);
    },

    /** One video, with the state of the work on it. */
    read: async (id: number, options: CallOptions = {}): Promise<Video> =>
      ask(send, { method: 'GET', path: pathOf(id) }, options),

    /** Has a video analysed again; its timeline stays until the new one is there. */
    analyse: async (id: number, { settings, ...options }: AnalyseVideoOptions = {}): Promise<Video> =>
      ask(
        send,
        { method: 'POST', path: `${pathOf(id)}/analyses`, json: { settings }, creates: true },
        options,
      ),

    /** What was found when. */
    readTimeline: async (id: number, options: CallOptions = {}): Promise<VideoTimeline> =>
      ask(send, { method: 'GET', path: `${pathOf(id)}/timeline` }, options),

    /** The same for spreadsheets (a line for each track), or for players (WebVTT, a cue for each track). */
    readTimelineFile: async (id: number, format: 'csv' | 'vtt', options: CallOptions = {}): Promise<Blob> =>
      ask(send, { method: 'GET', path: `${pathOf(id)}/timeline`, query: { format }, wants: 'text' }, options),

    /** The file as it came: read it to its end, or cancel it. */
    readFile: async (id: number, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> =>
      ask(send, { method: 'GET', path: `${pathOf(id)}/file`, wants: 'video' }, options),

    /** The image of a track, as its timeline names it. */
    readThumbnail: async (id: number, thumbnail: string, options: CallOptions = {}): Promise<Blob> => {
      const thumbnailPath = `${pathOf(id)}/thumbnails/${toPathPart('thumbnail', thumbnail)}`;
      return ask(send, { method: 'GET', path: thumbnailPath, wants: 'image' }, options);
    },

    /** Deletes a video with its file, its timeline and its thumbnails; work on it ends. */
    remove: async (id: number, options: CallOptions = {}): Promise<VideoReceipt> =>
      ask(send, { method: 'DELETE', path: pathOf(id) }, options),
  };
  return checked('videos', calls, {
    page: [0, paged],
    list: [0, listed, true],
    upload: [1, { name: 'optional', settings: 'optional' }],
    addByAddress: [1, { name: 'optional', settings: 'optional' }],
    analyse: [1, { settings: 'optional' }],
  });
}
