import { createServer, type RequestListener } from 'node:http';
import { makeRawPages } from './raw-pages.js';
import { makeRedirects } from './redirect-pages.js';
import { makeHttpPages } from './remote-pages.js';

/** A host whose pages are traps. It listens on 127.0.0.2, which the service under test may reach. */
export interface RemoteServer {
  /** 127.0.0.2 with its port. */
  readonly host: string;
  /** Paths that were asked for, in their order. */
  readonly asked: readonly string[];
  readonly pages: readonly string[];
  address(path: string): string;
  close(): Promise<void>;
}

export type Pages = Readonly<Record<string, RequestListener>>;

export async function startRemoteServer(image: Buffer): Promise<RemoteServer> {
  const asked: string[] = [];
  let pages: Pages = {};
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages[path];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const bound = server.address();
  const host = `127.0.0.2:${typeof bound === 'object' && bound ? bound.port : 0}`;
  pages = { ...makeRedirects(host), ...makeHttpPages(image), ...makeRawPages(image) };
  return {
    host,
    asked,
    pages: Object.keys(pages),
    address: (path) => `http://${host}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
