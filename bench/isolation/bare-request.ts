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
    type = 'application/json',
    signal,
  }: {
    readonly key: string;
    readonly method: string;
    /** Of the type; an object is sent as JSON. */
    readonly body?: Buffer | object;
    readonly type?: string;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const sentBody = Buffer.isBuffer(body) ? body : body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        ...{ agent, method, signal },
        headers: {
          'x-api-key': key,
          ...(sentBody && { 'content-type': type, 'content-length': sentBody.length }),
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
    sent.end(sentBody);
  });
}
