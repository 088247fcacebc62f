import { createHash } from 'node:crypto';
import { setImmediate as letOthers, setTimeout as sleep } from 'node:timers/promises';
import { type Box, EngineError, type ImageKind, identifyImage } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import { faceAt } from '../face-at.js';
import { type EnrolledFace, type NewFaceImage, toEnrolledFace } from '../face-image.js';
import type { FacesSeen, LookAtFaces } from '../look-at-faces.js';
import { fromVectorBytes } from '../vector-bytes.js';
import { type ArchivedImage, refuseArchive } from './format.js';

const busyWaitMs = 500;

interface ReEmbedFaceDeps {
  readonly lookAtFaces: LookAtFaces;
  readonly accountId: number;
}

/** How far off 1 the length of a stored vector may be: it was rounded to 32 bits. */
const lengthTolerance = 1e-3;
/** Some milliseconds of the thread. */
const hashedAtOnceBytes = 1024 * 1024;

export interface ReadImageDeps {
  readonly lookAtFaces: LookAtFaces;
  readonly accountId: number;
}

export interface ImageToImport {
  readonly image: ArchivedImage;
  readonly content: Buffer;
  readonly archivedEmbedder: string;
  readonly embedder: string;
  /** Numbers of a vector of that embedder. */
  readonly dimensions: number;
  readonly signal: AbortSignal;
}

/** An image to be added, with a name for its image. */
export interface ReadImage extends NewFaceImage {
  /** Whether its vector is not the archive's. */
  readonly isReEmbedded: boolean;
}

/**
 * An archived image with its own vector where it is the embedder's, else re-embedded; null where the embedder finds no
 * such face. Throws `bad_request` for an image or vector that is not what the archive says.
 */
export async function readImage(
  deps: ReadImageDeps,
  { image, content, archivedEmbedder, embedder, dimensions, signal }: ImageToImport,
): Promise<ReadImage | null> {
  if ((await hashImage(content)) !== image.sha256) {
    throw refuseArchive('an image has other bytes than its record says');
  }
  const imageKind = kindOf(content);
  const isReEmbedded = archivedEmbedder !== embedder;
  const embedded = isReEmbedded
    ? await reEmbedFace(deps, content, { box: image.face.box, embedder, signal })
    : { face: image.face, vector: readVector(image.vector, dimensions) };
  if (embedded === null) return null;
  return {
    keyId: image.keyId,
    blobId: ownedUuid(deps.accountId),
    imageKind,
    imageBytes: content.byteLength,
    imageSha256: image.sha256,
    ...embedded,
    embedder,
    createdAt: image.createdAt,
    isReEmbedded,
  };
}

async function hashImage(content: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < content.byteLength; at += hashedAtOnceBytes) {
    if (at > 0) await letOthers();
    hash.update(content.subarray(at, at + hashedAtOnceBytes));
  }
  return hash.digest('hex');
}

/** Throws `bad_request` for what is no vector of so many numbers and the length 1: no search could be compared with it. */
export function readVector(text: string, dimensions: number): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength !== 4 * dimensions) {
    throw refuseArchive(`a vector has not the ${dimensions} numbers of its embedder`);
  }
  const vector = fromVectorBytes(bytes);
  const length = Math.hypot(...vector);
  if (!(Math.abs(length - 1) < lengthTolerance)) throw refuseArchive('a vector has not the length 1');
  return vector;
}

/** By its own bytes, whatever the archive says of it. */
function kindOf(content: Buffer): ImageKind {
  try {
    return identifyImage(content);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw refuseArchive('an image is none', error);
  }
}

/**
 * The face of an image that the archive has at this box, as another embedder sees it; null where that finds none. Throws
 * `bad_request` for an image that cannot be read.
 */
async function reEmbedFace(
  by: ReEmbedFaceDeps,
  image: Buffer,
  { box, embedder, signal }: { readonly box: Box; readonly embedder: string; readonly signal: AbortSignal },
): Promise<{ readonly face: EnrolledFace; readonly vector: Float32Array } | null> {
  const { width, height, faces } = await look(by, image, { embedder, signal });
  const face = faceAt(faces, box);
  return face && { face: toEnrolledFace({ width, height }, face), vector: face.embedding };
}

/** Waits while too many other images do: thousands were kept before this one. */
async function look(
  { lookAtFaces, accountId }: ReEmbedFaceDeps,
  image: Buffer,
  { embedder, signal }: { readonly embedder: string; readonly signal: AbortSignal },
): Promise<FacesSeen> {
  for (;;) {
    try {
      return await lookAtFaces(
        { kind: 'bytes', bytes: image },
        { embedder, liveness: false, accountId, signal },
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'unsupported_image' || error.code === 'file_too_large') {
        throw refuseArchive('an image in it cannot be read', error);
      }
      // Not where the image took its process down: it would take the next one too.
      const isCrowded = error.cause instanceof EngineError && error.cause.code === 'busy';
      if (!isCrowded) throw error;
      await sleep(busyWaitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
