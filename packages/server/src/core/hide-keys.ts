import type { IncomingHttpHeaders } from 'node:http';
import { redacted, redactText } from './redact.js';

/** Keys are longer; a shorter text in a key's place may be part of any word. */
const minKeyLength = 16;
/** What is quoted of a client's words is cut at this length. */
const quotedLength = 60;

/**
 * A message without the keys that came with its request. A message may quote what the client sent, where a key may stand
 * in the wrong parameter; one that the operator chose has no form by which it could be known.
 */
export function hideKeys(message: string, query: unknown, headers: IncomingHttpHeaders): string {
  const keys = [...queryValues(query), headers['x-api-key'], headers.authorization?.split(' ').at(-1)]
    .flat()
    .filter((key) => typeof key === 'string')
    .filter((key) => key.length >= minKeyLength)
    .map((key) => key.slice(0, quotedLength));
  return keys.reduce((text, key) => text.replaceAll(key, redacted), redactText(message));
}

function queryValues(query: unknown): unknown[] {
  if (typeof query !== 'object' || query === null) return [];
  return ['apikey', 'api_key', 'view_token'].flatMap((name): unknown => Reflect.get(query, name));
}
