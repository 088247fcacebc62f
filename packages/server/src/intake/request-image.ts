import type { ImageSource } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import { parseImageAddress } from './check-address.js';
import type { FetchImage } from './fetch-image.js';
import type { HeldImage } from './held-image.js';

/** What a request came with. */
export interface ImageInput {
  /** Of its body; the reader of the body disposes of it. */
  readonly image: HeldImage | undefined;
  readonly url: string | undefined;
  /** The message when it is neither. */
  readonly missing: string;
  /** Whose it is. */
  readonly accountId?: number;
}

/** Brings an image for the time of `work`, and not before it is called. */
export type UseImage = <T>(work: (source: ImageSource) => Promise<T>) => Promise<T>;

export interface RequestImage {
  readonly use: UseImage;
  /** The address as the client gave it, when the image comes from there. */
  readonly url: string | undefined;
}

interface RequestImageDeps {
  readonly fetchImage: FetchImage;
  readonly settings: { readonly maxImageBytes: number };
}

/**
 * The image of a request: of a file and an address the file counts. Throws `no_file` when there is neither,
 * `wrong_parameters` for an address that is none, and `file_too_large`; its `use` throws what fetching throws.
 */
export function chooseImage(
  { image, url, missing, accountId }: ImageInput,
  { fetchImage, settings }: RequestImageDeps,
  signal: AbortSignal,
): RequestImage {
  if (image !== undefined && image.size > 0) {
    checkImageBytes(image, settings.maxImageBytes);
    return { use: (work) => work(image.source), url: undefined };
  }
  if (url === undefined) {
    const isEmpty = image !== undefined;
    throw new ServiceError('no_file', isEmpty ? 'the image is empty; was its file read before?' : missing);
  }
  parseImageAddress(url);
  return {
    use: async (work) => {
      const fetched = await fetchImage(url, signal, accountId);
      try {
        return await work(fetched.source);
      } finally {
        await fetched.dispose();
      }
    },
    url,
  };
}

/** Of base64 text so much may be line breaks, two characters after each 76 (RFC 2045). */
const shareOfBreaks = 2 / 78;

/** Throws `file_too_large`. Base64 that is still to be decoded is judged by the least it can stand for. */
function checkImageBytes({ source, size }: HeldImage, maxBytes: number): void {
  const bytes = source.encoding === 'base64' ? (size * (1 - shareOfBreaks) * 3) / 4 : size;
  if (bytes <= maxBytes) return;
  throw new ServiceError('file_too_large', `the image is larger than ${maxBytes} bytes`);
}
