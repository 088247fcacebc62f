import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { createInflateAny } from './inflate-any.js';

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

interface DecompressOptions {
  /** Whether the body may end anywhere, as a live stream does; else a body that ends early fails. */
  readonly isLive?: boolean;
}

/**
 * The body without its compression; null where that is none of gzip, deflate and Brotli, or more than one. Whoever reads it bounds what it
 * unfolds to, and reads a live stream as it arrives. Errors of the body are errors of the result, and its end that of the body.
 */
export function decompress(
  body: Readable,
  [compression, ...others]: readonly string[],
  { isLive = false }: DecompressOptions = {},
): Readable | null {
  if (compression === undefined) return body;
  const decoder = others.length > 0 ? null : createDecoder(compression, isLive);
  if (decoder === null) return null;
  return pipeline(body, decoder, () => undefined);
}

/** What a decoder found wrong with its body: it ended before it was whole, or it is not what it says. Null for any other error. */
export function decodingFault(error: unknown): 'cut' | 'corrupt' | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return 'cut';
  // Those of Brotli have two forms, by the version of Node.
  return typeof code === 'string' && /^(Z_|ERR__ERROR_|ERR_BROTLI_)/.test(code) ? 'corrupt' : null;
}

function createDecoder(compression: string, isLive: boolean) {
  const finishFlush = isLive ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  if (compression === 'gzip' || compression === 'x-gzip') return createUnzip({ finishFlush });
  if (compression === 'deflate') return createInflateAny({ finishFlush });
  if (compression !== 'br') return null;
  return createBrotliDecompress({
    finishFlush: isLive ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
  });
}
