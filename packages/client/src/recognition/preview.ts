import type { Image } from '../image.js';
import type { CallOptions } from '../options.js';
import type { Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { upload } from './upload.js';

export interface PreviewOptions extends CallOptions {
  /** Pixels of the longer side at most, 16 to 4096; 1280 unless given. */
  readonly maxSide?: number | undefined;
}

/** An image as every browser shows it. */
export interface Preview {
  /** A JPEG, upright. */
  readonly image: Blob;
  /** Of the image that was given, upright: boxes are in its pixels. */
  readonly width: number;
  readonly height: number;
}

export function createPreview(send: Send) {
  const calls = {
    /** An image of any kind, or by its address, as every browser shows it. Nothing is kept, and no call counts. */
    preview: async (image: Image, options: PreviewOptions = {}): Promise<Preview> => {
      const call = upload('/api/preview', image, { max_side: options.maxSide });
      const { body, headers } = await send({ ...call, wants: 'image' }, options);
      const [width, height] = ['width', 'height'].map((side) => Number(headers.get(`x-image-${side}`)));
      return { image: body as Blob, width: width ?? 0, height: height ?? 0 };
    },
  };
  return checked('', calls, {
    preview: [1, { maxSide: 'optional' }],
  });
}
