import { ServiceError } from '../core/service-error.js';
import { parseImageAddress } from './check-address.js';
import type { FetchImage } from './fetch-image.js';
import { checkImageBytes, type HeldImage } from './held-image.js';

/** What a request came with. */
export interface ImageInput {
  readonly image: HeldImage | undefined;
  readonly url: string | undefined;
  /** What to tell when it is neither. */
  readonly missing: string;
  /** Whose it is. */
  readonly accountId?: number;
}

export interface ImageChoice {
  /** Brings the image. Whoever asks disposes of it. */
  readonly obtain: () => Promise<HeldImage>;
  /** The address as the client gave it, when the image comes from there. */
  readonly url: string | undefined;
}

export interface ImageChoiceDeps {
  readonly fetchImage: FetchImage;
  readonly settings: { readonly maxImageBytes: number };
}

/**
 * Where the image comes from: of a file and an address the file counts. Throws `no_file` when there is neither,
 * `wrong_parameters` for an address that is none, and `file_too_large`.
 */
export function chooseImage(
  { image, url, missing, accountId }: ImageInput,
  { fetchImage, settings }: ImageChoiceDeps,
  signal: AbortSignal,
): ImageChoice {
  if (image !== undefined && image.size > 0) {
    checkImageBytes(image, settings.maxImageBytes);
    return { obtain: async () => image, url: undefined };
  }
  if (url === undefined) throw new ServiceError('no_file', missing);
  parseImageAddress(url);
  return { obtain: () => fetchImage(url, signal, accountId), url };
}
