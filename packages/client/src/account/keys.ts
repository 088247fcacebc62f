import type { ApiKey, CompatSettings, NewApiKey } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked, checkNames } from '../service/checked.js';
import { type Moment, toMomentText } from './moment.js';
import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from './pages.js';
import { toPathPart } from './path-part.js';

export interface CreateKeyOptions extends CallOptions {
  /** 1 to 100 characters. */
  readonly name: string;
  /** When the key ends; never unless given. */
  readonly expiresAt?: Moment | null | undefined;
  /** Calls it may make in all; no limit of its own unless given. A key with one manages no keys. */
  readonly callLimit?: number | null | undefined;
  /** For a client of another service: the key speaks its protocol, and opens nothing else. */
  readonly compat?: CompatOptions | undefined;
}

/** What a client of another service cannot say. */
export interface CompatOptions {
  readonly protocol: CompatSettings['protocol'];
  /** Whose people are named; clients of CompreFace need one. */
  readonly perception?: string | null | undefined;
  /** The detector; the default one unless given. */
  readonly model?: string | null | undefined;
  /** Detectors by the names that clients ask for. */
  readonly models?: Readonly<Record<string, string>> | undefined;
  /** What classes are called for this client, by their titles. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** From 0 to 1; the client may ask for more, not for less. */
  readonly minConfidence?: number | null | undefined;
  readonly maxPredictions?: number | null | undefined;
}

export interface ChangeKeyOptions extends CallOptions {
  readonly name?: string | undefined;
  /** When the key ends; null: never. */
  readonly expiresAt?: Moment | null | undefined;
  /** Calls it may make in all, those used already among them; null: no limit of its own. */
  readonly callLimit?: number | null | undefined;
  /** In the place of all settings of a key for clients of another service. */
  readonly compat?: CompatOptions | undefined;
  /** Gives the last good key of the account an end or a limit too. */
  readonly force?: boolean | undefined;
}

export interface RevokeKeyOptions extends CallOptions {
  /** Revokes the last good key of the account too. */
  readonly force?: boolean | undefined;
}

const path = '/api/keys';
const pathOf = (id: number) => `${path}/${toPathPart('id', id)}`;

const fields = {
  name: 'optional',
  expiresAt: 'optional',
  callLimit: 'optional',
  compat: 'optional',
} as const;

/** The account's own keys. */
export function createKeys(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<ApiKey>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const calls = {
    /** One page of `list`. */
    page,

    /** All keys, the newest first, expired and revoked ones too, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Creates a key; this answer alone shows it. */
    create: async (options: CreateKeyOptions): Promise<NewApiKey> =>
      ask(send, { method: 'POST', path, json: toFields(options), creates: true }, options),

    /** Renames a key, or changes when it ends or how many calls it may make. */
    change: async (id: number, options: ChangeKeyOptions): Promise<ApiKey> =>
      ask(
        send,
        { method: 'PATCH', path: pathOf(id), query: { force: options.force }, json: toFields(options) },
        options,
      ),

    /** Revokes a key: it is refused from the next request on. */
    revoke: async (id: number, options: RevokeKeyOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: pathOf(id), query: { force: options.force } }, options),
  };
  return checked('keys', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { ...fields, name: 'needed' }],
    change: [1, { ...fields, force: 'optional' }],
    revoke: [1, { force: 'optional' }],
  });
}

function toFields({ name, expiresAt, callLimit, compat }: ChangeKeyOptions) {
  const ends = expiresAt === null ? null : toMomentText(expiresAt);
  return { name, expires_at: ends, call_limit: callLimit, compat: compat && toCompat(compat) };
}

const compatKinds = {
  protocol: 'needed',
  perception: 'optional',
  model: 'optional',
  models: 'optional',
  aliases: 'optional',
  minConfidence: 'optional',
  maxPredictions: 'optional',
} as const;

function toCompat(compat: CompatOptions) {
  checkNames('the option compat', compat, compatKinds);
  const { minConfidence, maxPredictions, ...same } = compat;
  return { ...same, min_confidence: minConfidence, max_predictions: maxPredictions };
}
