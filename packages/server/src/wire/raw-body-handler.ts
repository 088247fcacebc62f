import type { ModelRunner } from '@lynceus/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Accounts, Caller } from '../accounts/accounts.js';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import type { FaceDatabase } from '../faces/face-database.js';
import type { RecordSearch } from '../faces/record-search.js';
import type { Query } from '../http/common/key.js';
import type { RateLimits } from '../http/common/rate-limits.js';
import { createRequestSignal } from '../http/common/request-signal.js';
import type { RequestTurns } from '../http/common/request-turns.js';
import type { FetchImage } from '../intake/fetch-image.js';
import type { Spool } from '../intake/spool.js';
import type { CallLedger } from '../recognition/call.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { Recognition } from '../recognition/recognition.js';
import type { BuiltinModels } from '../service/builtin/builtin-models.js';
import type { ModelStore } from '../training/models/model-store.js';
import type { WireValue } from './json.js';
import { writeJson } from './json.js';

/** What the adapters of both generations depend on. */
export interface RouteDeps {
  /** Who a key belongs to; null when it is unknown, revoked or expired. */
  readonly authenticate: Accounts['authenticate'];
  readonly rateLimits: RateLimits;
  readonly requestTurns: RequestTurns;
  readonly ledger: CallLedger;
  readonly recognition: Recognition;
  readonly chooseModel: ChooseModel;
  readonly builtinModels: BuiltinModels;
  readonly customModels: ModelStore;
  readonly faces: FaceDatabase;
  readonly recordSearch: RecordSearch;
  /** Where clients reach the service, without a slash at the end. */
  readonly publicAddress: (request: FastifyRequest) => string;
  readonly runner: Pick<ModelRunner, 'unpackJson'>;
  readonly spool: Spool;
  readonly fetchImage: FetchImage;
  /** Fires when the service stops and waits no longer: what is in flight is then answered busy. */
  readonly shutdownSignal: AbortSignal;
  readonly settings: Pick<
    Settings,
    'maxImageBytes' | 'maxJsonBytes' | 'requestTimeoutMs' | 'recognitionParts'
  >;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling, once the key was found good. */
    caller: Caller | undefined;
  }
}

/** Handles one request of an adapter; `signal` fires when the client is gone or the request's time is over. */
export type RawBodyHandler = (
  request: FastifyRequest<{ Querystring: Query }>,
  reply: FastifyReply,
  signal: AbortSignal,
) => Promise<WireValue>;

/**
 * A route hook that answers before Fastify looks at the body: adapters read it themselves, after the key, whatever its
 * content type says.
 */
export function createRawBodyHandler(
  answer: RawBodyHandler,
  deps: Pick<RouteDeps, 'settings' | 'shutdownSignal' | 'rateLimits' | 'requestTurns'>,
) {
  return async (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    await deps.rateLimits.checkAddress(request);
    // The wait for a turn counts in the time of the request.
    const signal = createRequestSignal(reply, deps);
    await deps.requestTurns.take(request, signal);
    const body = await answer(request, reply, signal);
    return reply.type('application/json; charset=utf-8').send(writeJson(body));
  };
}

/** Throws `invalid_api_key` unless the key is good, and `too_many_requests` when it is used too often. */
export async function identifyCaller(
  request: FastifyRequest,
  key: string | undefined,
  ownName: string,
  deps: Pick<RouteDeps, 'authenticate' | 'rateLimits'>,
): Promise<Caller> {
  if (key === undefined) {
    throw new ServiceError(
      'invalid_api_key',
      `no API key: give it as the query parameter ${ownName}, in X-API-Key, or as Authorization: Bearer`,
    );
  }
  const authenticate = async (how: { readonly isAfresh: boolean }): Promise<Caller> => {
    const caller = await deps.authenticate(key, how);
    if (caller !== null) return caller;
    throw new ServiceError(
      'invalid_api_key',
      'the API key is unknown, revoked or expired, or one of a drop or of a compat client, which opens nothing here',
    );
  };
  const caller = await authenticate({ isAfresh: false });
  request.caller = caller;
  request.requireAccess = async () => {
    // A call that can run out was counted before its body came: nothing else finds that its key was revoked elsewhere meanwhile.
    await authenticate({ isAfresh: caller.hasLimit });
  };
  await deps.rateLimits.checkKey(request);
  return caller;
}

/**
 * Returns the values as the schema types them. Throws `wrong_parameters` naming the first one that does not fit; the
 * description of its schema says what it must be.
 */
export function createParameterCheck<Schema extends TObject>(
  schema: Schema,
): (values: unknown) => Static<Schema> {
  // Compiled at the first request, as compiling all schemas takes a tenth of a start. A check by the schema itself takes a
  // quarter of a millisecond, each time.
  let compiled: Validator<Record<string, never>, Schema> | undefined;
  return (values) => {
    compiled ??= Compile(schema);
    if (compiled.Check(values)) return values;
    const [first] = compiled.Errors(values);
    const name = first?.instancePath.split('/')[1] ?? '';
    const wanted = schema.properties[name];
    const description =
      wanted !== undefined && 'description' in wanted ? String(wanted.description) : undefined;
    throw new ServiceError('wrong_parameters', `${name} must be ${description ?? 'of another form'}`);
  };
}
