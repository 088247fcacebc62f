import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request and leaves its answer unread, at a fraction of what a client library takes: where the client takes longer than the
 * service, requests of both accounts wait in the client.
 */
export function sendBare(
  url: string,
  {
    key,
    method,
    body,
    signal,
  }: { readonly key: string; readonly method: string; readonly body?: object; readonly signal: AbortSignal },
): Promise<void> {
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        ...{ agent, method, signal },
        headers: {
          'x-api-key': key,
          ...(text && { 'content-type': 'application/json', 'content-length': text.length }),
        },
      },
      (answer) => {
        answer.resume().once('end', () => {
          const { statusCode = 0 } = answer;
          if (statusCode === 200) resolve();
          else reject(new Error(`${method} ${url} was answered ${statusCode}`));
        });
      },
    );
    sent.once('error', reject);
    sent.end(text);
  });
}
