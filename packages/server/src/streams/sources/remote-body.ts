import type { RemoteAnswer } from './remote-http.js';
import { StreamFailure } from './stream-source.js';

/** The body of an answer, of which the first bytes have been looked at. */
export interface RemoteBody {
  readonly answer: RemoteAnswer;
  /** At least 16 bytes, unless there are fewer. */
  readonly start: Buffer;
  /** All of it, as it arrives. */
  read(): AsyncGenerator<Buffer>;
  discard(): void;
}

const startBytes = 16;

/** Waits for the first bytes. Rejects with what ended the body. */
export async function peekBody(answer: RemoteAnswer): Promise<RemoteBody> {
  const source: AsyncIterable<Buffer> = answer.body;
  const rest = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < startBytes) {
    const { done, value } = await rest.next();
    if (done === true) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  return {
    answer,
    start,
    async *read() {
      try {
        yield start;
        for (;;) {
          const { done, value } = await rest.next();
          if (done === true) return;
          yield value;
        }
      } finally {
        answer.body.destroy();
      }
    },
    discard: () => void answer.body.destroy(),
  };
}

/** The whole body as text. Throws `StreamFailure` when it is longer than `maxBytes`. */
export async function readText(body: RemoteBody, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body.read()) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new StreamFailure('protocol', `the playlist is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
