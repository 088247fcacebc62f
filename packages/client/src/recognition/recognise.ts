import type {
  CustomRecognition,
  PredictType,
  Recognition,
  RecognitionPart,
  TextLanguage,
} from '../api-types.js';
import type { Image } from '../image.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { askWithFileId, type WithFileId } from './file-id.js';
import { upload } from './upload.js';

export interface RecogniseOptions extends CallOptions {
  /** `dense` unless given: the parts of the ten largest objects are classified one by one; `basic`: not. */
  readonly predictType?: PredictType | undefined;
  /** What is looked for; what the service is set to unless given. */
  readonly parts?: readonly RecognitionPart[] | undefined;
  /** Of the text, by ISO 639-1: only their letters are read. Those of the service unless given. */
  readonly textLanguages?: readonly TextLanguage[] | undefined;
}

export interface RecogniseWithOptions extends CallOptions {
  /** A classifier, by UID or number. */
  readonly modelId: string | number;
}

const path = '/predict/image';

export function createRecognise(send: Send) {
  const calls = {
    /** General recognition: ranked classes, objects with counts, texts and faces (v1 `/predict/image`). */
    recognise: async (image: Image, options: RecogniseOptions = {}): Promise<Recognition> => {
      const query = {
        predicttype: options.predictType,
        parts: options.parts?.join(','),
        text_languages: options.textLanguages?.join(','),
      };
      return ask(send, upload(path, image, query), options);
    },

    /** Ranked classes of a classifier of your choice (v1 `/predict/image` with `model_id`). */
    recogniseWith: async (
      image: Image,
      options: RecogniseWithOptions,
    ): Promise<WithFileId<CustomRecognition>> =>
      askWithFileId(send, upload(path, image, { model_id: options.modelId }), options),
  };
  return checked('', calls, {
    recognise: [1, { predictType: 'optional', parts: 'optional array', textLanguages: 'optional array' }],
    recogniseWith: [1, { modelId: 'needed' }],
  });
}
