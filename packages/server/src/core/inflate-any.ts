import { Duplex, type Transform } from 'node:stream';
import { createInflateRaw, createUnzip, type ZlibOptions } from 'node:zlib';

/**
 * A decoder of the content coding `deflate`. It is zlib's format (RFC 9110, section 8.4.1.2), but some servers send deflate data without
 * that format's header; the first two bytes tell them apart. Gzip is read too.
 */
export function createInflateAny(options: ZlibOptions): Duplex {
  let head: Buffer = Buffer.alloc(0);
  let decoder: Transform | null = null;
  const start = () => {
    const made = hasHeader(head) ? createUnzip(options) : createInflateRaw(options);
    made.on('data', (chunk: Buffer) => {
      if (!duplex.push(chunk)) made.pause();
    });
    made.once('end', () => duplex.push(null));
    made.once('error', (error) => duplex.destroy(error));
    decoder = made;
    return made;
  };
  const duplex = new Duplex({
    read: () => void decoder?.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (decoder !== null) return void decoder.write(chunk, done);
      head = Buffer.concat([head, chunk]);
      if (head.length < 2) return done();
      start().write(head, done);
    },
    final(done) {
      if (decoder !== null) return void decoder.end(done);
      start().end(head, done);
    },
    destroy(error, done) {
      decoder?.destroy();
      done(error);
    },
  });
  return duplex;
}

/** Whether data begins as zlib (RFC 1950, section 2.2) or gzip does; fewer than two bytes: whether it may. */
function hasHeader(head: Buffer): boolean {
  const [first = 0x78, second] = head;
  if (first === 0x1f) return second === undefined || second === 0x8b;
  return (first & 0x0f) === 8 && (second === undefined || (first * 256 + second) % 31 === 0);
}
