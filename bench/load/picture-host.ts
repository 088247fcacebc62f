import { createServer } from 'node:http';

/** A host for pictures by address, on 127.0.0.2, which the service under load is allowed to reach. */
export interface PictureHost {
  readonly network: string;
  address(path: '/picture' | '/missing' | '/page'): string;
  close(): Promise<void>;
}

const host = '127.0.0.2';

export async function startPictureHost(picture: Buffer): Promise<PictureHost> {
  const server = createServer((request, response) => {
    if (request.url === '/picture') response.end(picture);
    else if (request.url === '/page') response.end('<!doctype html><title>no picture</title>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  return {
    network: `${host}/32`,
    address: (path) => `http://${host}:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
