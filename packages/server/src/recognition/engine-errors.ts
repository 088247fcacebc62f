import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import type { ErrorCode } from '../errors/catalogue.js';
import { ServiceError } from '../errors/service-error.js';

/** What a caller is told of each fault of the engine; its own words may name files of ours and stay in the log. */
const told: Readonly<Record<EngineErrorCode, readonly [ErrorCode, string]>> = {
  'picture-empty': ['no_file', 'the picture is empty'],
  'picture-unsupported': [
    'unsupported_image',
    'the file is not a picture of a supported kind; send JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC or BMP',
  ],
  'picture-corrupt': ['unsupported_image', 'the picture is truncated or damaged'],
  'picture-too-large': ['file_too_large', 'the picture has too many pixels; send a smaller one'],
  'base64-invalid': ['invalid_picture_text', 'the picture is not base64 text'],
  'json-invalid': ['bad_request', 'the body must be a JSON object with little beside its picture'],
  'model-missing': ['internal_error', 'a model of this operation is not installed'],
  busy: ['service_busy', 'too many pictures are waiting; try again shortly'],
  'process-lost': ['service_busy', 'the inference process working on this picture was lost'],
  memory: [
    'model_too_large',
    'the model needs more memory for this image than a custom model may have (customInferenceMaxBytes): use a smaller model or a smaller input, or ask the operator for more',
  ],
  timeout: ['service_busy', 'the picture took too long'],
  aborted: ['service_busy', 'the request took too long, or the service is stopping'],
  internal: ['internal_error', 'the service failed on this picture'],
};

/** Any error as one that a door may show; what is none of ours is left as it is. */
export function toServiceError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const [code, message] = told[error.code];
  return new ServiceError(code, message, { cause: error });
}
