import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of a webhook: what it acknowledged, in order. */
export interface Receiver {
  readonly url: string;
  /** Numbers of events, each as often as it came. */
  readonly seqs: readonly number[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const seqs: number[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { seq } = JSON.parse(Buffer.concat(parts).toString());
    seqs.push(Number(seq));
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/in`,
    seqs,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
