import type { IncomingHttpHeaders } from 'node:http';

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A query value; of a key given several times the first counts, and an empty one counts as absent. */
export function firstOf(query: Query, name: string): string | undefined {
  const value = query[name];
  const first = typeof value === 'string' ? value : value?.[0];
  return first === '' ? undefined : first;
}

/**
 * The API key of a request, wherever it stands: in the query under the generation's own name, under the other
 * generation's, then `Authorization: Bearer`, then `X-API-Key`.
 */
export function readApiKey(
  query: Query,
  headers: IncomingHttpHeaders,
  names: readonly ['apikey', 'api_key'] | readonly ['api_key', 'apikey'],
): string | undefined {
  return (
    firstOf(query, names[0]) ??
    firstOf(query, names[1]) ??
    /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ??
    headerText(headers['x-api-key'])
  );
}

function headerText(value: string | string[] | undefined): string | undefined {
  const first = typeof value === 'string' ? value : value?.[0];
  return first === '' ? undefined : first;
}
