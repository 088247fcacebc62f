import { ServiceError } from '../errors/service-error.js';
import { parsePictureAddress } from '../fetch/check-address.js';
import type { FetchPicture } from '../fetch/fetch-picture.js';
import { checkPictureBytes, type HeldPicture } from './held-picture.js';

/** What a request came with. */
export interface GivenPicture {
  readonly picture: HeldPicture | undefined;
  readonly url: string | undefined;
  /** What to tell when it is neither. */
  readonly missing: string;
  /** Whose it is. */
  readonly accountId?: number;
}

export interface PictureChoice {
  /** Brings the picture. Whoever asks disposes of it. */
  readonly obtain: () => Promise<HeldPicture>;
  /** The address as the client gave it, when the picture comes from there. */
  readonly url: string | undefined;
}

export interface PictureChoiceDeps {
  readonly fetchPicture: FetchPicture;
  readonly settings: { readonly maxPictureBytes: number };
}

/**
 * Where the picture comes from: of a file and an address the file counts. Throws `no_file` when there is neither,
 * `wrong_parameters` for an address that is none, and `file_too_large`.
 */
export function choosePicture(
  { picture, url, missing, accountId }: GivenPicture,
  { fetchPicture, settings }: PictureChoiceDeps,
  signal: AbortSignal,
): PictureChoice {
  if (picture !== undefined && picture.size > 0) {
    checkPictureBytes(picture, settings.maxPictureBytes);
    return { obtain: async () => picture, url: undefined };
  }
  if (url === undefined) throw new ServiceError('no_file', missing);
  parsePictureAddress(url);
  return { obtain: () => fetchPicture(url, signal, accountId), url };
}
