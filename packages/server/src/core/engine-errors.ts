import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import type { ErrorCode } from './error-catalogue.js';
import { ServiceError } from './service-error.js';

/**
 * What a caller learns of each error of the engine. Null: its own message, which the engine composes for callers of sizes,
 * limits and what is wrong with the image. Other messages may name internal files, and stay in the log.
 */
const serviceErrors: Readonly<Record<EngineErrorCode, readonly [ErrorCode, string | null]>> = {
  'image-empty': ['no_file', 'the image is empty'],
  'image-unsupported': ['unsupported_image', null],
  'image-corrupt': ['unsupported_image', null],
  'image-too-large': ['file_too_large', null],
  'image-too-complex': ['unsupported_image', null],
  'base64-invalid': ['invalid_image_text', 'the image is not base64 text'],
  'json-invalid': ['bad_request', 'the body must be a JSON object with little beside its image'],
  'model-missing': ['internal_error', 'a model of this operation is not installed'],
  busy: ['service_busy', 'too many images are waiting; try again shortly'],
  'process-crashed': ['service_busy', 'the inference process working on this image crashed'],
  memory: [
    'model_too_large',
    'the model needs more memory for this image than a custom model may have (customInferenceMaxBytes): use a smaller model or a smaller input, or ask the operator for more',
  ],
  timeout: ['service_busy', 'the image took too long'],
  aborted: ['service_busy', 'the request took too long, or the service is stopping'],
  internal: ['internal_error', 'the service failed on this image'],
};

/** Of what a user of the command line can do something about, who may see the engine's own message. */
const commandAdvice: Partial<Readonly<Record<EngineErrorCode, string>>> = {
  timeout:
    'run the command again when the machine has less to do, or with LYNCEUS_INFERENCE_PROCESSES=1, for one image at a time',
};

/** An error of the engine as one for the user of a command: with the limit, and how to raise it. Any other error unchanged. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const isPixels = error.code === 'image-too-large' && error.message.includes('pixels');
  const advice = isPixels ? 'make it smaller, or raise LYNCEUS_MAX_PIXELS' : commandAdvice[error.code];
  if (advice === undefined) return toServiceError(error);
  const [code] = serviceErrors[error.code];
  return new ServiceError(code, `${error.message}: ${advice}`, { cause: error });
}

/** An error of the engine as one that a client may see; any other error unchanged. */
export function toServiceError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const [code, message] = serviceErrors[error.code];
  return new ServiceError(code, message ?? error.message, { cause: error });
}
