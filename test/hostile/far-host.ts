import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setInterval as every } from 'node:timers/promises';

/** A host whose pages are traps. It listens on 127.0.0.2, which the service under test may reach. */
export interface FarHost {
  /** Paths that were asked for, in their order. */
  readonly asked: readonly string[];
  address(path: string): string;
  close(): Promise<void>;
}

type Page = (request: IncomingMessage, response: ServerResponse) => unknown;

const redirect =
  (location: string): Page =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

export async function startFarHost(picture: Buffer): Promise<FarHost> {
  const asked: string[] = [];
  const pages: Readonly<Record<string, Page>> = {
    '/picture': (_request, response) => response.end(picture),
    '/to-picture': redirect('/picture'),
    '/to-loopback': redirect('http://127.0.0.1:8080/livez'),
    '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
    '/to-mapped': redirect('http://[::ffff:127.0.0.1]/'),
    '/to-file': redirect('file:///etc/passwd'),
    '/twice-to-loopback': redirect('/to-loopback'),
    '/round': redirect('/round'),
    '/silent': () => undefined,
    '/drip': async (_request, response) => {
      for await (const _tick of every(50)) {
        if (response.destroyed) return;
        response.write('x');
      }
    },
    '/endless': (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
      };
      response.on('drain', more);
      more();
    },
    '/vast': (_request, response) =>
      response.writeHead(200, { 'content-length': '99999999999' }).flushHeaders(),
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-length': String(picture.length) });
      response.write(picture.subarray(0, 2000), () => response.destroy());
    },
    '/reset': (request) => request.socket.resetAndDestroy(),
    '/nonsense': (request) => request.socket.end('220 mail.example ESMTP\r\n'),
    '/compressed': (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(picture),
    '/missing': (_request, response) => response.writeHead(404).end(picture),
    '/page': (_request, response) => response.end('<!doctype html><title>no picture</title>'),
    '/nothing': (_request, response) => response.end(),
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    pages[path]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  return {
    asked,
    address: (path) => `http://127.0.0.2:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
