import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/service-error.js';
import type { BlobPart } from '../../storage/blobs/blob-store.js';
import { parseRange } from '../common/parse-range.js';

/** A file whose bytes never change. */
export interface SentFile {
  /** Of its bytes: another id for other bytes. */
  readonly id: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Under which a browser keeps it. */
  readonly fileName: string;
  /** Some of its bytes; null where it is there no longer. */
  readonly read: (part: BlobPart) => Promise<Readable | null>;
}

/**
 * Answers with a file, or with the part of it that a request asks for, so that players can seek: one range of bytes (RFC 9110,
 * section 14), `If-Range` and `If-None-Match`. Throws `range_not_satisfiable`, and `not_found` for a file that is gone.
 */
export async function sendPart(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  file: SentFile,
): Promise<FastifyReply> {
  const { id, mediaType, sizeBytes, fileName } = file;
  const etag = `"${id}"`;
  reply.header('accept-ranges', 'bytes').header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const { range } = request.headers;
  const condition = request.headers['if-range'];
  const isRange = range !== undefined && (condition === undefined || condition === etag);
  const part = isRange ? parseRange(range, sizeBytes) : 'whole';
  if (part === 'none') {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw new ServiceError('range_not_satisfiable', `the file has ${sizeBytes} bytes, and none of these`);
  }
  const { fromBytes, toBytes } = part === 'whole' ? { fromBytes: 0, toBytes: sizeBytes } : part;
  const stream = await file.read({ fromBytes, toBytes });
  if (stream === null) throw new ServiceError('not_found', 'the file is there no longer');
  if (part !== 'whole') {
    reply.code(206).header('content-range', `bytes ${fromBytes}-${toBytes - 1}/${sizeBytes}`);
  }
  return reply
    .type(mediaType)
    .header('content-length', toBytes - fromBytes)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(stream);
}
