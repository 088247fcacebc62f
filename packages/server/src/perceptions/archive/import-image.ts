import { createHash, randomUUID } from 'node:crypto';
import { type Box, boxIou, EngineError, identifyPicture, type PictureKind } from '@lynceus/engine';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { Database } from '../../storage/database.js';
import type { EnrolledFace } from '../face-image.js';
import type { FaceImages } from '../face-images.js';
import type { LookAtFaces } from '../look-at-faces.js';
import { fromVectorBytes } from '../vector-bytes.js';
import { type ArchivedImage, refuseArchive } from './format.js';

/** How far off 1 the length of a stored vector may be: it was rounded to 32 bits. */
const lengthTolerance = 1e-3;
/** Overlap from which a face that is found anew is the one that the archive has. */
const minSameIou = 0.3;

export interface ImportImageDeps {
  readonly database: Pick<Database, 'write'>;
  readonly images: Pick<FaceImages, 'add'>;
  readonly pictures: Pick<BlobStore, 'write' | 'remove'>;
  readonly lookAtFaces: LookAtFaces;
}

interface ImageToImport {
  readonly image: ArchivedImage;
  readonly picture: Buffer;
  readonly archivedEmbedder: string;
  readonly embedder: string;
  readonly signal: AbortSignal;
}

/** Keeps an archived image, with its own vector where it is the embedder's, else described anew. */
export async function importImage(
  deps: ImportImageDeps,
  accountId: number,
  person: { readonly id: number; readonly perceptionId: number },
  { image, picture, archivedEmbedder, embedder, signal }: ImageToImport,
): Promise<'kept' | 'anew' | 'left-out'> {
  if (createHash('sha256').update(picture).digest('hex') !== image.sha256) {
    throw refuseArchive('a picture has other bytes than its record says');
  }
  const pictureKind = kindOf(picture);
  const described =
    archivedEmbedder === embedder
      ? { face: image.face, vector: readVector(image.vector) }
      : await describeAnew(deps, { picture, box: image.face.box, embedder, signal });
  if (described === null) return 'left-out';
  const blobId = randomUUID();
  const pictureBytes = await deps.pictures.write(blobId, piecesOf(picture));
  try {
    await deps.images.add(
      accountId,
      person,
      {
        keyId: image.keyId,
        blobId,
        pictureKind,
        pictureBytes,
        pictureSha256: image.sha256,
        ...described,
        embedder,
        createdAt: image.createdAt,
      },
      deps.database.write,
    );
  } catch (error) {
    await deps.pictures.remove(blobId);
    throw error;
  }
  return archivedEmbedder === embedder ? 'kept' : 'anew';
}

async function describeAnew(
  { lookAtFaces }: Pick<ImportImageDeps, 'lookAtFaces'>,
  { picture, box, embedder, signal }: { picture: Buffer; box: Box; embedder: string; signal: AbortSignal },
): Promise<{ readonly face: EnrolledFace; readonly vector: Float32Array } | null> {
  const source = { kind: 'bytes', bytes: picture } as const;
  const { width, height, faces } = await lookAtFaces(source, { embedder, liveness: false, signal });
  const overlaps = faces.map((face) => ({ face, iou: boxIou(face.box, box) }));
  const [best] = overlaps.sort((a, b) => b.iou - a.iou);
  if (best === undefined || best.iou < minSameIou) return null;
  const { box: found, score, points, quality, embedding } = best.face;
  return { face: { width, height, box: found, score, points, quality }, vector: embedding };
}

/** Throws `bad_request` for what is no vector of length 1. */
export function readVector(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength % 4 !== 0) throw refuseArchive('a vector has parts of a number');
  const vector = fromVectorBytes(bytes);
  const length = Math.hypot(...vector);
  if (!(Math.abs(length - 1) < lengthTolerance)) throw refuseArchive('a vector has not the length 1');
  return vector;
}

/** By its own bytes, whatever the archive says of it. */
function kindOf(picture: Buffer): PictureKind {
  try {
    return identifyPicture(picture);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw refuseArchive('a picture is none', error);
  }
}

async function* piecesOf(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
