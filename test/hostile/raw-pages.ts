import type { RequestListener } from 'node:http';
import { setInterval as every } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Pages } from './remote-server.js';

const saying =
  (...pieces: readonly (string | Buffer)[]): RequestListener =>
  ({ socket }) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };

/** Pages that write to the connection what no proper server would. */
export function makeRawPages(image: Buffer): Pages {
  const ok = 'HTTP/1.1 200 OK\r\n';
  return {
    '/slow-headers': async ({ socket }) => {
      socket.write(ok);
      for await (const _tick of every(30)) {
        if (socket.destroyed) return;
        socket.write('X');
      }
    },
    '/huge-headers': saying(ok, `X-Much: ${'x'.repeat(1_000_000)}\r\n\r\n`, image),
    '/compressed-transfer': saying(ok, 'Transfer-Encoding: gzip\r\n\r\n', gzipSync(image)),
    '/short-length': saying(ok, `Content-Length: ${Math.floor(image.length / 2)}\r\n\r\n`, image),
    '/two-lengths': saying(ok, `Content-Length: 5\r\nContent-Length: ${image.length}\r\n\r\n`, image),
    '/bad-chunks': saying(ok, 'Transfer-Encoding: chunked\r\n\r\n', 'zzz\r\nabc\r\n', image),
    '/upgrade': saying('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', image),
    '/reset': ({ socket }) => socket.resetAndDestroy(),
    '/nonsense': saying('220 mail.example ESMTP\r\n'),
    '/bare': saying(image),
    '/binary': saying(Buffer.from([0, 255, 13, 10, 0, 1, 2])),
  };
}
