import { randomUUID } from 'node:crypto';
import type { OutgoingFile } from './outgoing-file.js';

export type FormPart =
  | { readonly name: string; readonly text: string; readonly mediaType?: string }
  | { readonly name: string; readonly file: OutgoingFile };

/** A form as browsers send it: RFC 7578, with names escaped by the HTML standard. Its size is known before it is sent. */
export function encodeMultipart(parts: readonly FormPart[]) {
  const boundary = `lynceus-${randomUUID()}`;
  const heads = parts.map((part) => Buffer.from(headOf(part, boundary)));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const lineEnd = Buffer.from('\r\n');
  const contentBytes = parts.map((part) =>
    'file' in part ? part.file.sizeBytes : Buffer.byteLength(part.text),
  );
  const sizeBytes =
    heads.reduce((sum, head, index) => sum + head.length + (contentBytes[index] ?? 0) + lineEnd.length, 0) +
    end.length;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes,
    async *write(signal: AbortSignal): AsyncGenerator<Buffer> {
      for (const [index, part] of parts.entries()) {
        yield heads[index] ?? Buffer.alloc(0);
        if ('file' in part) yield* part.file.read(signal);
        else yield Buffer.from(part.text);
        yield lineEnd;
      }
      yield end;
    },
  };
}

function headOf(part: FormPart, boundary: string): string {
  const fileName = 'file' in part ? `; filename="${escapeName(part.file.name)}"` : '';
  const mediaType = 'file' in part ? part.file.mediaType : part.mediaType;
  const type = mediaType === undefined ? '' : `Content-Type: ${mediaType}\r\n`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(part.name)}"${fileName}\r\n${type}\r\n`;
}

function escapeName(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
