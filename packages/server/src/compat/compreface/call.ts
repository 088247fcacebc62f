import type { ImageSource } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';
import type { Perception } from '../../faces/perception.js';
import { collect } from '../../intake/held-image.js';
import { type JsonIntake, readJsonBody } from '../../intake/json-body.js';
import { readTwoJsonImages } from '../../intake/two-json-images.js';
import { type CompatDeps, type CompatRequest, identifyCompat } from '../common/compat-route.js';
import { findCompatPerception } from '../common/find-perception.js';
import { hasForm, readFields, withCompatForm } from '../common/read-form.js';
import type { CompatAccess } from '../compat-keys.js';
import { Refusal } from './errors.js';
import { type Asked, readAsked } from './query.js';

const protocol = 'compreface';

/** What a key of CompreFace stands for: one face collection. */
export interface ComprefaceCall {
  readonly access: CompatAccess;
  readonly accountId: number;
  readonly perception: Perception;
  readonly asked: Asked;
  readonly signal: AbortSignal;
  /** By the clock of `performance`. */
  readonly startedMs: number;
}

/** One image, or two that are compared, by the names of their fields. */
export type ImageFields = readonly ['file'] | readonly ['source_image', 'target_image'];

/** A request without an image, whose parameters may be in a form. @param key of the header unless given */
export async function openCall(
  deps: CompatDeps,
  request: CompatRequest,
  signal: AbortSignal,
  key: string | undefined = requireKey(deps, request),
): Promise<ComprefaceCall> {
  const startedMs = performance.now();
  const access = await identifyCompat(request, key, protocol, deps);
  if (!hasForm(request)) return toCall(deps, request, access, { signal, startedMs });
  const fields = await readFields(deps, request, access.caller.accountId, signal);
  await request.requireAccess();
  return toCall(deps, request, access, { signal, startedMs, fields });
}

/** Receives the images of a request, as a form or as JSON, for the time of `work`. */
export async function withImages<T>(
  deps: CompatDeps,
  request: CompatRequest,
  signal: AbortSignal,
  fields: ImageFields,
  work: (call: ComprefaceCall, first: ImageSource, second: ImageSource | undefined) => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  const key = requireKey(deps, request);
  // A wrong value is refused before the body is received.
  readAsked(request.raw.url ?? '');
  const use = async (
    access: CompatAccess,
    sources: readonly (ImageSource | undefined)[],
    parameters: Readonly<Record<string, string>>,
  ) => {
    for (const [at, name] of fields.entries()) {
      if (sources[at] === undefined) throw missing(name);
    }
    const [first, second] = sources;
    if (first === undefined) throw missing(fields[0]);
    const call = await toCall(deps, request, access, { signal, startedMs, fields: parameters });
    return work(call, first, second);
  };
  if (/^\s*multipart\//i.test(request.headers['content-type'] ?? '')) {
    const options = { protocol, key, maxFiles: fields.length } as const;
    return withCompatForm(deps, request, signal, options, ({ access, form }) =>
      use(
        access,
        fields.map((name) => form.files.find((file) => file.name === name)?.image.source),
        form.fields,
      ),
    );
  }
  const access = await identifyCompat(request, key, protocol, deps);
  const { accountId } = access.caller;
  await deps.ledger.checkCallsLeft(access.caller);
  const { maxJsonBytes } = deps.settings;
  const intake = { spool: deps.spool.of(accountId), runner: deps.runner, maxJsonBytes, accountId };
  const images = await readImages(request, fields, intake, signal);
  try {
    // It may have come for a minute, and the key been revoked meanwhile.
    await request.requireAccess();
    return await use(
      access,
      images.map((image) => image?.source),
      {},
    );
  } finally {
    for (const image of images) await image?.dispose();
  }
}

async function readImages(
  { raw }: CompatRequest,
  [first, second]: ImageFields,
  intake: JsonIntake,
  signal: AbortSignal,
) {
  if (second !== undefined) return readTwoJsonImages(raw, [first, second], intake, signal);
  const { image } = await readJsonBody(raw, first, intake, signal);
  return [image];
}

/** Of names and ids: parsed on the serving thread in a few milliseconds. */
const maxJsonBytes = 256 * 1024;

/** Receives a body without an image. Throws `bad_request` and `file_too_large`. */
export async function readSmallJson(
  deps: CompatDeps,
  request: CompatRequest,
  { accountId, signal }: ComprefaceCall,
): Promise<unknown> {
  const { source } = await collect(request.raw, {
    spool: deps.spool.of(accountId),
    memoryMaxBytes: maxJsonBytes,
    maxBytes: maxJsonBytes,
    tooLarge: () => new ServiceError('file_too_large', `the body is larger than ${maxJsonBytes} bytes`),
    signal,
  });
  await request.requireAccess();
  try {
    return JSON.parse(source.kind === 'bytes' ? Buffer.from(source.bytes).toString('utf8') : '');
  } catch {
    throw new ServiceError('bad_request', 'the body must be JSON');
  }
}

async function toCall(
  deps: CompatDeps,
  request: CompatRequest,
  access: CompatAccess,
  {
    signal,
    startedMs,
    fields,
  }: Pick<ComprefaceCall, 'signal' | 'startedMs'> & { readonly fields?: Readonly<Record<string, string>> },
): Promise<ComprefaceCall> {
  const perception = await findCompatPerception(deps.faces.perceptions, access);
  if (perception === null) throw new Refusal('unknownKey', 'the perception of the API key was deleted');
  const asked = readAsked(request.raw.url ?? '', fields);
  return { access, accountId: access.caller.accountId, perception, asked, signal, startedMs };
}

/** Undefined on a listener whose clients have none. */
function requireKey(deps: CompatDeps, request: CompatRequest): string | undefined {
  const header = request.headers['x-api-key'];
  const key = typeof header === 'string' ? header.trim() : header?.[0];
  if (key || deps.keyless) return key || undefined;
  throw new Refusal('missingHeader', 'Missing header: x-api-key');
}

function missing(name: string): Refusal {
  return new Refusal(
    'missingPart',
    `no image: send it as ${name}, as a file of a form or base64 text in JSON`,
  );
}
