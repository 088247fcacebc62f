import { type ListOptions, type Page, type PageOptions, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { Video, VideoReceipt, VideoSettingsInput, VideoTimeline } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';

export interface CreateVideoOptions extends CallOptions {
  /** 1 to 200 characters; that of the file unless given. */
  readonly name?: string | undefined;
  /** Those that shall be otherwise than usual. */
  readonly settings?: VideoSettingsInput | undefined;
}

const path = '/api/videos';
const videoPath = (id: number) => `${path}/${toPathPart('id', id)}`;

/** Video files, and what is found in them. */
export function createVideos(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<Video>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const readLines =
    (format: 'csv' | 'vtt') =>
    async (id: number, options: CallOptions = {}) =>
      ask<ReadableStream<Uint8Array>>(
        send,
        { method: 'GET', path: `${videoPath(id)}/timeline`, query: { format }, wants: 'text' },
        options,
      );
  return {
    /** One page of `list`. */
    page,

    /** All videos, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Sends a video, which is then looked through: follow its `job`. */
    create: async (file: Blob, options: CreateVideoOptions = {}): Promise<Video> => {
      const form = new FormData();
      if (options.settings !== undefined) form.set('settings', JSON.stringify(options.settings));
      if (options.name !== undefined) form.set('name', options.name);
      form.set('file', file, file instanceof File ? file.name : 'video');
      return ask(send, { method: 'POST', path, form, creates: true }, options);
    },

    /** Has a video fetched from an http or https address, and looked through. */
    createFromAddress: async (address: string, options: CreateVideoOptions = {}): Promise<Video> => {
      const json = { address, name: options.name, settings: options.settings };
      return ask(send, { method: 'POST', path, json, creates: true }, options);
    },

    /** One video, with the state of the work on it. */
    read: async (id: number, options: CallOptions = {}): Promise<Video> =>
      ask(send, { method: 'GET', path: videoPath(id) }, options),

    /** What was found when; `conflict` before the video was looked through. */
    readTimeline: async (id: number, options: CallOptions = {}): Promise<VideoTimeline> =>
      ask(send, { method: 'GET', path: `${videoPath(id)}/timeline` }, options),

    /** The tracks of the timeline as CSV, as it comes: read it to its end, or cancel it. */
    readTimelineCsv: readLines('csv'),

    /** The timeline as WebVTT, likewise. */
    readTimelineVtt: readLines('vtt'),

    /** The file as it came, likewise. */
    readFile: async (id: number, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> =>
      ask(send, { method: 'GET', path: `${videoPath(id)}/file`, wants: 'video' }, options),

    /** The image of a track, as its `thumbnail` in the timeline names it. */
    readThumbnail: async (id: number, thumbnail: string, options: CallOptions = {}): Promise<Blob> => {
      const part = toPathPart('thumbnail', thumbnail);
      const call = { method: 'GET', path: `${videoPath(id)}/thumbnails/${part}`, wants: 'image' } as const;
      return ask(send, call, options);
    },

    /** Deletes a video with its file, its timeline and its thumbnails; work on it ends. */
    remove: async (id: number, options: CallOptions = {}): Promise<VideoReceipt> =>
      ask(send, { method: 'DELETE', path: videoPath(id) }, options),
  };
}
