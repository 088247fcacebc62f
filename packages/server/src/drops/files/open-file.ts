import type { Readable } from 'node:stream';
import { ServiceError } from '../../core/service-error.js';
import { outputOf } from '../pipeline/output.js';
import type { FileBytes } from './file-bytes.js';
import { partId, shownPart } from './file-parts.js';
import type { FileRow } from './file-rows.js';

export interface OpenedFile {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Whoever gets it reads or destroys it. */
  readonly stream: Readable;
}

/** What is shown of a file: with its keywords once it is done. Throws `conflict` before it is whole, and `not_found`. */
export async function openFile(bytes: Pick<FileBytes, 'read' | 'sizeOf'>, row: FileRow): Promise<OpenedFile> {
  if (row.state === 'receiving' || row.state === 'partial') {
    throw new ServiceError('conflict', 'the file is not whole yet');
  }
  const part = shownPart(row);
  const id = partId(row.id, part);
  const stream = await bytes.read(id, 0);
  if (stream === null) throw new ServiceError('not_found', 'the bytes of this file are gone');
  const mediaType = outputOf(row)?.files.find((file) => file.part !== 'sidecar')?.mediaType;
  return { mediaType: mediaType ?? 'application/octet-stream', sizeBytes: await bytes.sizeOf(id), stream };
}
