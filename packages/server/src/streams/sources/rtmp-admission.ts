import { randomBytes, timingSafeEqual } from 'node:crypto';

/** The client is somebody else, or speaks something else. */
class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted';
}

/** C0, C1 and C2 (RTMP 1.0, section 5.2): what comes next depends on answers to them, so they are passed on before the token is seen. */
const handshakeBytes = 1 + 1536 + 1536;
const version = 3;
/** Of the first message, before a client sets others (sections 5.3 and 5.4.1). */
const chunkBytes = 128;
const headerBytes = 12;
const firstChunk = 0x03;
const nextChunk = 0xc3;
const amf0Command = 20;
const maxCommandBytes = 16_384;

/** Lets one program alone speak to a server of RTMP: the one that shows a token, which is taken out of what it says. */
export function createRtmpAdmission() {
  const token = randomBytes(16).toString('hex');
  // A string in AMF 0: marker, length, characters.
  const shown = Buffer.concat([Buffer.from([2, 0, token.length]), Buffer.from(token)]);
  return {
    /** For ffmpeg: `rtmp_conn` adds a value to its command `connect`. */
    connectValue: `S:${token}`,
    /** What a client sends on one connection, as far as it may be passed on. Throws `NotAdmitted`. */
    async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      let waiting: Buffer = Buffer.alloc(0);
      let handshakeLeft = handshakeBytes;
      let isAdmitted = false;
      for await (const chunk of chunks) {
        if (isAdmitted) {
          yield chunk;
          continue;
        }
        if (handshakeLeft === handshakeBytes && chunk[0] !== version) throw new NotAdmitted();
        const greeting = chunk.subarray(0, handshakeLeft);
        handshakeLeft -= greeting.length;
        if (greeting.length > 0) yield greeting;
        waiting = Buffer.concat([waiting, chunk.subarray(greeting.length)]);
        const command = readCommand(waiting);
        if (command === null) continue;
        const { header, content, rest } = command;
        const end = content.subarray(-shown.length);
        if (end.length !== shown.length || !timingSafeEqual(end, shown)) throw new NotAdmitted();
        isAdmitted = true;
        yield writeCommand(header, content.subarray(0, -shown.length));
        if (rest.length > 0) yield rest;
      }
    },
  };
}

interface Command {
  readonly header: Buffer;
  readonly content: Buffer;
  readonly rest: Buffer;
}

/** The first message of a client; null while it is incomplete. */
function readCommand(bytes: Buffer): Command | null {
  if (bytes.length < headerBytes) return null;
  const header = bytes.subarray(0, headerBytes);
  const size = header.readUIntBE(4, 3);
  if (header[0] !== firstChunk || header[7] !== amf0Command || size > maxCommandBytes)
    throw new NotAdmitted();
  const parts: Buffer[] = [];
  let at = headerBytes;
  for (let left = size; left > 0; ) {
    if (left < size) {
      if (at < bytes.length && bytes[at] !== nextChunk) throw new NotAdmitted();
      at += 1;
    }
    const part = bytes.subarray(at, at + Math.min(left, chunkBytes));
    if (part.length < Math.min(left, chunkBytes)) return null;
    parts.push(part);
    at += part.length;
    left -= part.length;
  }
  return { header, content: Buffer.concat(parts), rest: bytes.subarray(at) };
}

function writeCommand(header: Buffer, content: Buffer): Buffer {
  const own = Buffer.from(header);
  own.writeUIntBE(content.length, 4, 3);
  const parts: Buffer[] = [own];
  for (let at = 0; at < content.length; at += chunkBytes) {
    if (at > 0) parts.push(Buffer.from([nextChunk]));
    parts.push(content.subarray(at, at + chunkBytes));
  }
  return Buffer.concat(parts);
}
