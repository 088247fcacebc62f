import { LynceusError } from '../error.js';
import type { CallOptions } from '../options.js';
import { type Page, walkPages } from '../pages.js';
import type { Send } from './call.js';
import { checkNames, type Kinds } from './check-names.js';
import type { Operation, OperationTable } from './operation.js';
import { readEvents } from './read-events.js';
import { readers } from './readers.js';
import { toCall, type Values } from './to-call.js';

type Given = readonly unknown[];
type Entry = readonly [name: string, call: unknown];

const entryOf = (name: string, call: unknown): Entry => [name, call];

/**
 * The calls of a table of operations, in the table's groups. They check the names of their options before they send anything, and
 * all that they throw is a LynceusError.
 */
export function createCalls(send: Send, table: OperationTable, group = ''): object {
  const entries = Object.entries(table).flatMap(([name, entry]) =>
    isOperation(entry)
      ? callsOf(send, group, name, entry)
      : [entryOf(name, createCalls(send, entry, `${group}${name}.`))],
  );
  return Object.fromEntries(entries);
}

const isOperation = (entry: Operation | OperationTable): entry is Operation => typeof entry.call === 'string';

/** One call by its name, or two of a list. */
function callsOf(send: Send, group: string, name: string, operation: Operation): Entry[] {
  const full = `${group}${name}`;
  const kinds = optionKinds(operation);
  if (operation.paged) {
    const page = name === 'list' ? 'page' : `${name}Page`;
    const { cursor, ...withoutCursor } = kinds;
    const readPage = asker(`${group}${page}`, operation, kinds, send);
    const walk = (values: Values) =>
      walkPages((next) => ask(send, operation, { ...values, cursor: next }) as Promise<Page<unknown>>);
    return [
      [page, readPage],
      [name, walker(full, operation, withoutCursor, walk)],
    ];
  }
  if (operation.reads !== 'events' && operation.reads !== 'eventData')
    return [[name, asker(full, operation, kinds, send)]];
  const follow = async function* (values: Values) {
    const stream = (await ask(send, operation, values)) as ReadableStream<Uint8Array>;
    for await (const event of readEvents(stream)) yield operation.reads === 'events' ? event : event.data;
  };
  return [[name, walker(full, operation, kinds, follow)]];
}

function asker(name: string, operation: Operation, kinds: Kinds, send: Send) {
  return async (...given: Given): Promise<unknown> => {
    try {
      return await ask(send, operation, readValues(name, operation, kinds, given));
    } catch (error) {
      throw toError(name, error);
    }
  };
}

function walker(
  name: string,
  operation: Operation,
  kinds: Kinds,
  walk: (values: Values) => AsyncGenerator<unknown, void, undefined>,
) {
  return async function* (...given: Given) {
    try {
      yield* walk(readValues(name, operation, kinds, given));
    } catch (error) {
      throw toError(name, error);
    }
  };
}

/** Sends the call. What the service answers is taken at its word: tests hold the document to the service. */
async function ask(send: Send, operation: Operation, values: Values): Promise<unknown> {
  const { signal, timeoutMs = operation.timeoutMs }: CallOptions = values;
  const answer = await send(await toCall(operation, values), { signal, timeoutMs });
  const { reads } = operation;
  return reads === 'withFileId' || reads === 'preview' ? readers[reads](answer) : answer.body;
}

/** Every option with its kind: those of the request, and those that every call takes. */
function optionKinds({ call, args = [], query, json, form, etag }: Operation): Kinds {
  const inPath = [...call.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'needed'] as const);
  const kinds = { ...Object.fromEntries(inPath), ...query, ...json, ...form };
  const options = Object.entries(kinds).filter(([name]) => !args.includes(name));
  const tag: Kinds = etag === undefined ? {} : { [etag]: 'optional' };
  return { ...Object.fromEntries(options), ...tag, signal: 'optional', timeoutMs: 'optional' };
}

/** Options and arguments by name. */
function readValues(name: string, operation: Operation, kinds: Kinds, given: Given): Values {
  const { args = [] } = operation;
  const options = given[args.length];
  // The service takes a change of nothing, but who leaves the options out forgot them.
  const isChange = operation.json !== undefined && operation.call.startsWith('PATCH');
  checkNames(name, isChange && options === undefined ? null : options, kinds);
  return {
    ...(options as object | undefined),
    ...Object.fromEntries(args.map((arg, at) => [arg, given[at]])),
  };
}

function toError(name: string, error: unknown): LynceusError {
  if (error instanceof LynceusError) return error;
  const reason = error instanceof Error ? error.message : error;
  const message = `${name} cannot use what it was given: ${reason}`;
  return new LynceusError('wrong_parameters', message, { cause: error });
}
