import type { Preview } from '../shapes.js';
import type { Answer } from './call.js';

/** Answers that have headers in them. */
export const readers = {
  /** The id of the analysis from its header, beside the fields of the body. */
  withFileId: ({ body, headers }: Answer): object => ({
    ...(body as object),
    fileid: headers.get('x-file-id'),
  }),

  preview: ({ body, headers }: Answer): Preview => {
    const [width, height] = ['width', 'height'].map((side) => Number(headers.get(`x-image-${side}`)));
    return { image: body as Blob, width: width ?? 0, height: height ?? 0 };
  },
};
