import { createServer } from 'node:http';

/** A host for images by address, on 127.0.0.2, which the service under load is allowed to reach. */
export interface ImageHost {
  readonly network: string;
  address(path: '/image' | '/missing' | '/page'): string;
  close(): Promise<void>;
}

const host = '127.0.0.2';

export async function startImageHost(image: Buffer): Promise<ImageHost> {
  const server = createServer((request, response) => {
    if (request.url === '/image') response.end(image);
    else if (request.url === '/page') response.end('<!doctype html><title>no image</title>');
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
