import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

const compressions = new Set([
  'gzip',
  'x-gzip',
  'deflate',
  'compress',
  'x-compress',
  'br',
  'zstd',
  'dcb',
  'dcz',
]);

/**
 * Compressions of a body by its header Content-Encoding, which some servers send although none was asked for. Other words in it, such as
 * `identity`, `none`, `utf-8` or `aws-chunked`, are no compression.
 */
export function compressionsOf(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []]
    .flat()
    .flatMap((value) => value.toLowerCase().split(','))
    .map((word) => word.trim())
    .filter((word) => compressions.has(word));
}

/**
 * The body without its compression; null where that is none of gzip, deflate and Brotli, or more than one. Whoever reads it bounds what it
 * unfolds to, and reads a live stream as it arrives. Errors of the body are errors of the result, and its end that of the body.
 */
export function decompress(body: Readable, [compression, ...others]: readonly string[]): Readable | null {
  if (compression === undefined) return body;
  const decoder = others.length > 0 ? null : createDecoder(compression);
  if (decoder === null) return null;
  return pipeline(body, decoder, () => undefined);
}

function createDecoder(compression: string) {
  // A live stream ends anywhere.
  if (['gzip', 'x-gzip', 'deflate'].includes(compression))
    return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
  if (compression !== 'br') return null;
  return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
}
