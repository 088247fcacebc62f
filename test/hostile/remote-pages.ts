import type { RequestListener } from 'node:http';
import { setInterval as every } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Pages } from './remote-server.js';

/** Made once: to compress it takes half a second, which requests that are under way would wait for. */
const compressedBomb = gzipSync(Buffer.alloc(100_000_000));

/** Pages that are HTTP, and yet no image to be had. */
export function makeHttpPages(image: Buffer): Pages {
  const answering =
    (code: number, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) =>
      response.writeHead(code, headers).end(image);
  return {
    '/image': answering(200),
    '/missing': answering(404),
    '/failing': answering(500),
    '/forbidding': answering(401, { 'www-authenticate': 'Basic realm="here"' }),
    '/part': answering(206, { 'content-range': `bytes 0-${image.length - 1}/${image.length}` }),
    '/no-content': (_request, response) => response.writeHead(204).end(),
    '/page': (_request, response) => response.end('<!doctype html><title>no image</title>'),
    '/nothing': (_request, response) => response.end(),
    '/silent': () => undefined,
    '/drip': async (_request, response) => {
      for await (const _tick of every(50)) {
        if (response.destroyed) return;
        response.write('x');
      }
    },
    '/continuing': async (_request, response) => {
      for await (const _tick of every(20)) {
        if (response.destroyed) return;
        response.writeEarlyHints({ link: '</style.css>; rel=preload' });
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
    '/compressed': (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(image)),
    '/compressed-bomb': (_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(compressedBomb),
    '/compressed-twice': (_request, response) =>
      response.setHeader('content-encoding', 'gzip, br').end(gzipSync(image)),
    '/bomb': (_request, response) => response.end(gzipSync(Buffer.alloc(20_000_000))),
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-length': String(image.length) });
      response.write(image.subarray(0, 2000), () => response.destroy());
    },
  };
}
