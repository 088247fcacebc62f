import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../core/service-error.js';
import { withFile } from '../../storage/blobs/blob-store.js';
import type { ImageLocation, ThumbnailRequest } from '../../storage/thumbnails/thumbnails.js';
import type { RunningExiftool } from '../keywords/exiftool.js';
import { findFileKind } from '../keywords/file-kind.js';
import { KeywordError } from '../keywords/keyword-error.js';
import { takeRawPreview } from '../keywords/raw-preview.js';
import type { FileBytes } from './file-bytes.js';
import { partId, shownPart } from './file-parts.js';
import type { FileRow } from './file-rows.js';

/** What there is to be seen of a drop's file; a raw photograph by its preview. */
export interface DropFileImage extends Pick<ThumbnailRequest, 'image' | 'variant'> {
  readonly location: ImageLocation;
}

interface ImageLocationDeps {
  readonly bytes: Pick<FileBytes, 'hold' | 'draft' | 'sizeOf'>;
  readonly exiftool: Pick<RunningExiftool, 'of'>;
  /** Of a preview. */
  readonly maxImageBytes: number;
}

/** Throws `conflict` before the file is whole; its place throws `unsupported_image` for what is no image. */
export function imageOfFile(deps: ImageLocationDeps, row: FileRow): DropFileImage {
  const { bytes } = deps;
  if (row.state === 'receiving' || row.state === 'partial') {
    throw new ServiceError('conflict', 'the file is not whole yet');
  }
  const id = partId(row.id, shownPart(row));
  return {
    image: { owner: 'drop', id },
    // As long as nobody works on it, its client may go on with it.
    variant: `of-${row.modified_at}`,
    location: {
      withFile: async (work) => ((await bytes.sizeOf(id)) > 0 ? withFile(bytes, id, work) : null),
      isThere: async () => (await bytes.sizeOf(id)) > 0,
      preview: (path, signal) => previewOf(deps, row, path, signal).catch(rethrowUnsupported),
    },
  };
}

async function previewOf(
  { bytes, exiftool, maxImageBytes }: ImageLocationDeps,
  row: FileRow,
  path: string,
  signal: AbortSignal,
) {
  const ofAccount = exiftool.of(row.account_id);
  const kind = await findFileKind(ofAccount, path, signal);
  if (kind.kind === 'other')
    throw new ServiceError('unsupported_image', `it is not an image: ${kind.reason}`);
  if (kind.kind === 'image') return { path, dispose: async () => undefined };
  // Beside the one that the work on the file may be taking.
  const draft = await bytes.draft(`${row.id}-seen-${randomUUID()}`);
  try {
    const request = { inputPath: path, outputPath: draft.path, maxBytes: maxImageBytes };
    await takeRawPreview(ofAccount, request, signal);
  } catch (error) {
    await draft.discard();
    throw error;
  }
  return { path: draft.path, dispose: draft.discard };
}

function rethrowUnsupported(error: unknown): never {
  if (!(error instanceof KeywordError)) throw error;
  throw new ServiceError('unsupported_image', error.message, { cause: error });
}
