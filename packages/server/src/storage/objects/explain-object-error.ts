import { S3ServiceException } from '@aws-sdk/client-s3';
import { StorageError } from '../storage-error.js';

const credentialErrors: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'AuthorizationHeaderMalformed',
  'CredentialsProviderError',
]);
/** The library corrects its clock by the answer: the next attempt has the right time. */
const skewErrors: ReadonlySet<string> = new Set(['RequestTimeTooSkewed', 'RequestExpired', 'RequestTimeout']);

/** HTTP status of the store's answer; null where there was none. */
export function statusOf(error: unknown): number | null {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null;
}

/** Whether the same request may succeed shortly. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StorageError) return false;
  if (!(error instanceof Error)) return false;
  if (skewErrors.has(error.name) || error.name === 'SlowDown' || error.name === 'BadDigest') return true;
  if (credentialErrors.has(error.name)) return false;
  const status = statusOf(error);
  // Without an answer the connection was lost or never came about.
  return status === null || status === 429 || status === 408 || status >= 500;
}

/**
 * What went wrong between us and the store, in words that say what to fix. It carries no cause: errors of the library hold
 * the request with its signature.
 * @param what such as `writing faces/abc`
 */
export function explainObjectError(error: unknown, shown: string, what: string): StorageError {
  if (error instanceof StorageError) return error;
  const { name, message, code } = describe(error);
  const status = statusOf(error);
  if (name === 'NoSuchBucket')
    return new StorageError(
      'away',
      `There is no such bucket as that of ${shown}. Make it, or correct LYNCEUS_BLOBS.`,
    );
  if (credentialErrors.has(name)) {
    return new StorageError(
      'away',
      `The object store refuses our credentials for ${shown} (${name}) while ${what}. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and LYNCEUS_BLOBS_REGION, or the role of this machine.`,
    );
  }
  if (status === 507 || /quota/i.test(name))
    return new StorageError('full', `The object store has no room left in ${shown} (${name}).`);
  if (status === 301 || status === 307)
    return new StorageError('away', `${shown} is in another region (${name}): correct LYNCEUS_BLOBS_REGION.`);
  if (status === 401 || status === 403) {
    return new StorageError(
      'away',
      `The object store allows no ${what} in ${shown} (${name}): our key needs the rights to read, write, list and delete objects there.`,
    );
  }
  const said = status === null ? code || message || name : `${name}, HTTP ${status}`;
  return new StorageError(
    'away',
    `The object store does not answer as it should for ${shown} while ${what} (${said}); try again.`,
  );
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: 'Error', message: '', code: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { name: error.name, message: error.message.slice(0, 200), code };
}
