import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import type { DeliveryLimits } from './delivery-limits.js';
import type { S3Settings } from './destination-settings.js';

export interface S3ClientOptions {
  readonly settings: S3Settings;
  readonly secretAccessKey: string;
  readonly isPathStyle: boolean;
  readonly limits: DeliveryLimits;
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

const nothing = () => undefined;
/** The library would print what went wrong; here it is thrown, and told once. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

export function createS3Client(options: S3ClientOptions): S3Client {
  const { settings, secretAccessKey, isPathStyle, limits, httpAgent, httpsAgent } = options;
  // It would warn that later versions of it need a later Node; this one is pinned, and runs on ours.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: isPathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey },
    // A stream cannot be sent twice; the whole parcel is tried anew.
    maxAttempts: 1,
    // Ours are known beforehand. Those that the library adds by itself are more than many stores understand.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    disableS3ExpressSessionAuth: true,
    logger: silent,
    requestHandler: {
      httpAgent,
      httpsAgent,
      connectionTimeout: limits.connectTimeoutMs,
      socketTimeout: limits.stallTimeoutMs,
    },
  });
}
