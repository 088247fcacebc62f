import type { Detection, ObjectDetection } from '../api-types.js';
import { type Image, readImage } from '../image.js';
import type { CallOptions } from '../options.js';
import type { Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { askWithFileId, type WithFileId } from './file-id.js';
import { upload } from './upload.js';

const fields = { modelId: 'optional', confThresh: 'optional', nmsThresh: 'optional' } as const;

export interface DetectOptions extends CallOptions {
  /** By UID or number; `coco-accurate` unless given. */
  readonly modelId?: string | number | undefined;
  /** The least score of what is answered, 0 to 1; 0.4 unless given. */
  readonly confThresh?: number | undefined;
  /** How much two boxes of a label may overlap, 0 to 1; 0.45 unless given. */
  readonly nmsThresh?: number | undefined;
}

export function createDetect(send: Send) {
  const calls = {
    /** Labelled boxes of any model, a classifier's classes too (v2 `/predict`). */
    detect: async (image: Image, options: DetectOptions = {}): Promise<WithFileId<Detection>> => {
      const read = readImage(image);
      const json = {
        ...('url' in read ? { image_file_url: read.url } : { base64str: await toBase64(read.blob) }),
        model_id: options.modelId,
        conf_thresh: options.confThresh,
        nms_thresh: options.nmsThresh,
      };
      return askWithFileId(send, { method: 'PUT', path: '/predict', json }, options);
    },

    /** Labelled boxes of a detector (v1 `/predict/object_detection/`). The image travels as it is: less than as base64. */
    detectObjects: async (
      image: Image,
      options: DetectOptions & {
        /** `high`: looks at slices of a large image as well, which finds small objects and takes longer. */
        readonly detail?: 'normal' | 'high';
      } = {},
    ): Promise<WithFileId<ObjectDetection>> => {
      const query = {
        model_id: options.modelId,
        conf_thresh: options.confThresh,
        nms_thresh: options.nmsThresh,
        detail: options.detail,
      };
      return askWithFileId(send, upload('/predict/object_detection/', image, query), options);
    },
  };
  return checked('', calls, {
    detect: [1, fields],
    detectObjects: [1, { ...fields, detail: 'optional' }],
  });
}

/** Bytes at a time: a multiple of 3, so that the pieces join, and few enough to be arguments of one call. */
const pieceBytes = 3 * 8192;

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes))));
  }
  return pieces.join('');
}
