import { Header } from 'tar';

export interface TarMember {
  readonly name: string;
  readonly sizeBytes: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const blockBytes = 512;

/** A plain tar file, piece by piece. Names are short ASCII; owners and times are left out. */
export async function* writeTar(members: AsyncIterable<TarMember>): AsyncIterable<Uint8Array> {
  for await (const { name, sizeBytes, content } of members) {
    const block = Buffer.alloc(blockBytes);
    new Header({ path: name, mode: 0o600, size: sizeBytes, type: 'File' }).encode(block, 0);
    yield block;
    let written = 0;
    for await (const piece of content) {
      written += piece.byteLength;
      yield piece;
    }
    if (written !== sizeBytes) throw new Error(`${name} has ${written} bytes and not ${sizeBytes}`);
    yield Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
  }
  yield Buffer.alloc(2 * blockBytes);
}

export function jsonMember(name: string, value: unknown): TarMember {
  return textMember(name, JSON.stringify(value));
}

export function textMember(name: string, text: string): TarMember {
  const bytes = Buffer.from(text);
  return { name, sizeBytes: bytes.byteLength, content: [bytes] };
}
