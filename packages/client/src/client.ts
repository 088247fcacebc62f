import type { LynceusClient } from './generated/calls.js';
import { table } from './generated/table.js';
import { type ClientOptions, checkOptions } from './options.js';
import { findProblem, type Kind } from './service/check-names.js';
import { createCalls } from './service/create-calls.js';
import { createSend } from './service/send.js';

const clientOptions: Readonly<Record<keyof ClientOptions, Kind>> = {
  baseUrl: 'needed',
  apiKey: 'optional',
  session: 'optional',
  fetch: 'optional',
  timeoutMs: 'optional',
  maxRetries: 'optional',
};

/**
 * A client of one service, with a key or, in the service's own page, by the session of the signed-in user. Every call throws a
 * LynceusError when it fails. Throws a TypeError for options that cannot be used.
 */
export function createLynceusClient(options: ClientOptions): LynceusClient {
  const problem = findProblem('createLynceusClient', options, clientOptions);
  if (problem !== undefined) throw new TypeError(problem);
  // The table and the type of the client are made of the same rows.
  return createCalls(createSend(checkOptions(options)), table) as LynceusClient;
}
