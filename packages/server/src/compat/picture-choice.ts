import { ServiceError } from '../errors/service-error.js';
import { parsePictureAddress } from '../fetch/check-address.js';
import type { FetchPicture } from '../fetch/fetch-picture.js';
import type { HeldPicture } from '../intake/held-picture.js';
import type { ObtainPicture } from '../recognition/recognition.js';

export interface PictureChoice {
  readonly obtain: ObtainPicture;
  /** The address as the client gave it, when the picture comes from there. */
  readonly url: string | undefined;
}

/**
 * Where the picture comes from: of a file and an address the file counts. Throws `no_file` when there is neither, and
 * `wrong_parameters` for an address that is none.
 */
export function choosePicture(
  picture: HeldPicture | undefined,
  url: string | undefined,
  fetchPicture: FetchPicture,
  signal: AbortSignal,
  missing: string,
): PictureChoice {
  if (picture !== undefined && picture.size > 0) return { obtain: async () => picture, url: undefined };
  if (url === undefined) throw new ServiceError('no_file', missing);
  parsePictureAddress(url);
  return { obtain: () => fetchPicture(url, signal), url };
}
