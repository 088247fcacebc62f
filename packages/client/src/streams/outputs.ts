import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  NewStreamOutput,
  StreamOutput,
  StreamOutputSecrets,
  StreamOutputSettingsInput,
  StreamOutputVerdict,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface ChangeStreamOutputOptions extends CallOptions {
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** False: nothing is sent. */
  readonly enabled?: boolean | undefined;
  /** Those that are left out stay as they are; the kind stays what it was. */
  readonly settings?: StreamOutputSettingsInput | undefined;
  /** Those that are left out stay while the receiver does. */
  readonly secrets?: StreamOutputSecrets | undefined;
}

export interface CreateStreamOutputOptions extends ChangeStreamOutputOptions {
  readonly name: string;
  readonly settings: StreamOutputSettingsInput;
}

const path = '/api/stream-outputs';
const pathOf = (id: number) => `${path}/${toPathPart('id', id)}`;

const fields = { name: 'optional', enabled: 'optional', settings: 'optional', secrets: 'optional' } as const;

/** Where events of streams are sent: webhooks and MQTT brokers. */
export function createStreamOutputs(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<StreamOutput>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const fieldsOf = ({ name, enabled, settings, secrets }: ChangeStreamOutputOptions) => ({
    name,
    enabled,
    settings,
    secrets,
  });
  const calls = {
    /** One page of `list`. */
    page,

    /** All outputs, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Has events sent from the next one on. The answer alone has the key of the signatures of a webhook. */
    create: async (options: CreateStreamOutputOptions): Promise<NewStreamOutput> =>
      ask(send, { method: 'POST', path, json: fieldsOf(options), creates: true }, options),

    /** One output: where it sends, and how that goes. */
    read: async (id: number, options: CallOptions = {}): Promise<StreamOutput> =>
      ask(send, { method: 'GET', path: pathOf(id) }, options),

    /** Renames, enables or disables an output, or changes settings one by one. */
    change: async (id: number, options: ChangeStreamOutputOptions): Promise<StreamOutput> =>
      ask(send, { method: 'PATCH', path: pathOf(id), json: fieldsOf(options) }, options),

    /** Deletes an output; what a broker keeps of it is removed there within seconds. */
    remove: async (id: number, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: pathOf(id) }, options),

    /** Sends an event that says that it is a test. One that does not arrive is an answer too, with `ok` false. */
    test: async (id: number, options: CallOptions = {}): Promise<StreamOutputVerdict> =>
      ask(send, { method: 'POST', path: `${pathOf(id)}/test` }, options),
  };
  return checked('streamOutputs', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { ...fields, name: 'needed', settings: 'needed' }],
    change: [1, fields],
  });
}
