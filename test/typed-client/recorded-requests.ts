import { createLynceusClient, type LynceusClient } from '@lynceus/client';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** By name, from the query, the form or the JSON body. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a client sends for these calls, to a service that answers nothing of interest. */
export async function recordRequests(
  makeCalls: (client: LynceusClient) => Promise<unknown>,
): Promise<RecordedRequest[]> {
  const recorded: RecordedRequest[] = [];
  const client = createLynceusClient({
    baseUrl: 'http://service.example',
    apiKey: 'key',
    fetch: async (address, { method = '', body, headers }) => {
      const url = new URL(address);
      recorded.push({
        method,
        path: url.pathname,
        parameters: { ...Object.fromEntries(url.searchParams), ...readBody(body) },
        address,
        headers: Object.fromEntries(new Headers(headers)),
      });
      return new Response('{}');
    },
  });
  await makeCalls(client);
  return recorded;
}

function readBody(body: unknown): Record<string, unknown> {
  if (body instanceof FormData) return Object.fromEntries(body);
  return typeof body === 'string' ? JSON.parse(body) : {};
}
