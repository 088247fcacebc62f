import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/accounts.js';
import { ServiceError } from '../../core/service-error.js';
import { firstOf, type Query, readApiKey } from '../../http/common/key.js';
import type { HeldImage } from '../../intake/held-image.js';
import { chooseImage, type RequestImage } from '../../intake/request-image.js';
import { readUpload } from '../../intake/upload.js';
import { type Call, countCall } from '../../recognition/call.js';
import { identifyCaller, type RouteDeps } from '../raw-body-handler.js';

type V1Request = FastifyRequest<{ Querystring: Query }>;

/** A parameter by name: from the query, failing that from the form. Empty ones count as absent. */
export type Parameter = (name: string) => string | undefined;

interface UploadCall<Parameters> {
  readonly call: Call;
  readonly parameters: Parameters;
  readonly image: RequestImage;
}

/** What came with a request: its parameters, and the image of its body if there is one. */
export interface Upload {
  readonly parameter: Parameter;
  readonly image: HeldImage | undefined;
}

/**
 * What every v1 operation that needs an image does before its own work: the key, the query's parameters, the
 * reservation, and only then the body, whose fields may add parameters.
 */
export async function countUploadCall<Parameters, Result>(
  deps: RouteDeps,
  request: V1Request,
  signal: AbortSignal,
  operation: string,
  readParameters: (parameter: Parameter, caller: Caller) => Promise<Parameters>,
  work: (call: UploadCall<Parameters>) => Promise<Result>,
): Promise<Result> {
  const caller = await identifyV1Caller(deps, request);
  // For its errors: what is wrong in the query already need not wait for the body.
  await readParameters((name) => firstOf(request.query, name), caller);
  return countCall(deps.ledger, caller, operation, signal, (call) =>
    withUpload(deps, request, signal, async (upload) => {
      const { parameter } = upload;
      const parameters = await readParameters(parameter, caller);
      const missing = 'no image: send a file part named image, or give its address as url';
      const given = { image: upload.image, url: parameter('url'), missing, accountId: caller.accountId };
      const image = chooseImage(given, deps, signal);
      return work({ call, parameters, image });
    }),
  );
}

/** Throws `invalid_api_key`. */
export function identifyV1Caller(deps: RouteDeps, request: V1Request): Promise<Caller> {
  return identifyCaller(
    request,
    readApiKey(request.query, request.headers, ['apikey', 'api_key']),
    'apikey',
    deps,
  );
}

/** Reads the body for the time of `work`. */
export async function withUpload<Result>(
  { settings, spool }: RouteDeps,
  request: V1Request,
  signal: AbortSignal,
  work: (upload: Upload) => Result | Promise<Result>,
): Promise<Result> {
  const limits = { maxImageBytes: settings.maxImageBytes, maxTextBytes: settings.maxJsonBytes };
  const own = request.caller ? spool.of(request.caller.accountId) : spool;
  const form = await readUpload(request.raw, own, limits, signal);
  try {
    // It may have come for a minute, and the key been revoked meanwhile.
    await request.requireAccess();
    return await work({
      parameter: (name) => {
        const given = firstOf(request.query, name);
        if (given === undefined && form.longFields.has(name)) {
          throw new ServiceError('wrong_parameters', `${name} is far too long`);
        }
        return given ?? (form.fields[name] || undefined);
      },
      image: form.image,
    });
  } finally {
    await form.image?.dispose();
  }
}
