import type { FastifyRequest } from 'fastify';
import { readUpload } from '../../intake/upload.js';
import { type Call, countCall } from '../../recognition/call.js';
import { type DoorDeps, identifyCaller } from '../door.js';
import { firstOf, type Query, readApiKey } from '../key.js';
import { choosePicture, type PictureChoice } from '../picture-choice.js';

/** A parameter by name: from the query, failing that from the form. Empty ones count as absent. */
export type Parameter = (name: string) => string | undefined;

export interface UploadCall<Parameters> {
  readonly call: Call;
  readonly parameters: Parameters;
  readonly picture: PictureChoice;
}

/**
 * What every v1 operation on a picture does before its own work: the key, the query's parameters, the reservation,
 * and only then the body, whose fields may add parameters.
 */
export async function countUploadCall<Parameters, Result>(
  deps: DoorDeps,
  request: FastifyRequest<{ Querystring: Query }>,
  signal: AbortSignal,
  operation: string,
  readParameters: (parameter: Parameter) => Parameters,
  work: (call: UploadCall<Parameters>) => Promise<Result>,
): Promise<Result> {
  const { query } = request;
  const key = readApiKey(query, request.headers, ['apikey', 'api_key']);
  const caller = await identifyCaller(request, key, 'apikey', deps);
  // For its errors: what is wrong in the query already need not wait for the body.
  readParameters((name) => firstOf(query, name));
  return countCall(deps.ledger, caller, operation, signal, async (call) => {
    const { maxPictureBytes, maxJsonBytes } = deps.settings;
    const limits = { maxPictureBytes, maxTextBytes: maxJsonBytes };
    const form = await readUpload(request.raw, deps.spool, limits, signal);
    try {
      const parameter: Parameter = (name) => firstOf(query, name) ?? (form.fields[name] || undefined);
      const parameters = readParameters(parameter);
      const missing = 'no picture: send a file part named image, or give its address as url';
      const picture = choosePicture(form.picture, parameter('url'), deps.fetchPicture, signal, missing);
      return await work({ call, parameters, picture });
    } finally {
      await form.picture?.dispose();
    }
  });
}
