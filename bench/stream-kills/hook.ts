import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Hook {
  readonly url: string;
  /** Numbers of the events that were taken, in order. */
  readonly taken: readonly number[];
  stop(): Promise<void>;
}

/** A receiver of events that fails every seventh request, and hangs up at every tenth. */
export async function startHook(): Promise<Hook> {
  const taken: number[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    requests += 1;
    if (body === '' || requests % 10 === 0) return void request.socket.destroy();
    if (requests % 7 === 0) return void response.writeHead(503).end();
    taken.push(Number(JSON.parse(body).seq));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/in`,
    taken,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
