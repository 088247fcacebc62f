import { ServiceError } from '../errors/service-error.js';
import { parsePictureAddress } from '../fetch/check-address.js';
import { checkPictureBytes, type HeldPicture } from '../intake/held-picture.js';
import type { ObtainPicture } from '../recognition/recognition.js';
import type { DoorDeps } from './door.js';

/** What a request came with. */
export interface GivenPicture {
  readonly picture: HeldPicture | undefined;
  readonly url: string | undefined;
  /** What to tell when it is neither. */
  readonly missing: string;
}

export interface PictureChoice {
  readonly obtain: ObtainPicture;
  /** The address as the client gave it, when the picture comes from there. */
  readonly url: string | undefined;
}

/**
 * Where the picture comes from: of a file and an address the file counts. Throws `no_file` when there is neither,
 * `wrong_parameters` for an address that is none, and `file_too_large`.
 */
export function choosePicture(
  { picture, url, missing }: GivenPicture,
  { fetchPicture, settings }: Pick<DoorDeps, 'fetchPicture' | 'settings'>,
  signal: AbortSignal,
): PictureChoice {
  if (picture !== undefined && picture.size > 0) {
    checkPictureBytes(picture, settings.maxPictureBytes);
    return { obtain: async () => picture, url: undefined };
  }
  if (url === undefined) throw new ServiceError('no_file', missing);
  parsePictureAddress(url);
  return { obtain: () => fetchPicture(url, signal), url };
}
