import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandIn {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server on a free port that answers as a test wants, where the real service would not. */
export async function startStandIn(answer: RequestListener): Promise<StandIn> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
