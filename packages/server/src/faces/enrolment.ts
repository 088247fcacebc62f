import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { ImageSource } from '@lynceus/engine';
import { readImageContent } from '../intake/image-content.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { ownedUuid } from '../storage/blobs/owned-id.js';
import { StorageError } from '../storage/storage-error.js';
import type { CommitUnit } from './commit-unit.js';
import { degradingProblems } from './degraded.js';
import { type Examination, examine, type Finding } from './enrolment-checks.js';
import { type EnrolledFace, type NewFaceImage, toEnrolledFace } from './face-image.js';
import type { FaceImages } from './face-images.js';
import type { FaceQuota } from './face-quota.js';
import { facesThatCount } from './faces-that-count.js';
import type { FaceIndex, GalleryRef } from './index/face-index.js';
import type { EmbeddedFace, FacesSeen, LookAtFaces } from './look-at-faces.js';
import { findNearestOther, judgeOwn } from './nearest-other.js';
import type { People, Person } from './people.js';
import type { EnrolmentProblem, Perception } from './perception.js';

export type EnrolmentResult =
  | {
      readonly outcome: 'added';
      readonly imageId: number;
      readonly person: Person;
      readonly face: EnrolledFace;
      readonly findings: readonly Finding[];
    }
  /** The perception refuses images with these problems; nothing was kept. */
  | { readonly outcome: 'refused'; readonly findings: readonly Finding[] }
  | { readonly outcome: 'no-face' };

/**
 * A person that there is; the key id of one, who is made with the first image; or the name of one who is made with this
 * image.
 */
export type Enrolled =
  | { readonly person: Person }
  | { readonly keyId: string }
  | { readonly newName: string };

/** Adds images of faces to people. */
export interface Enrolment {
  /**
   * Takes the largest face. When it resolves with `added`, image, row and vector are on disk, and the next search finds
   * them; else nothing was kept, and `commit` was called without statements. Without one nothing is counted. Throws
   * `account_full` and `no_space`.
   */
  add(
    accountId: number,
    perception: Perception,
    enrolled: Enrolled,
    image: ImageToAdd,
    commit?: CommitUnit,
  ): Promise<EnrolmentResult>;
  /** The long half of `add`, which changes nothing. */
  look(
    accountId: number,
    perception: Perception,
    image: Omit<ImageToAdd, 'acceptsDegraded'>,
  ): Promise<FacesSeen>;
  /** The short half: judges and keeps what was seen in this image. */
  keep(
    accountId: number,
    perception: Perception,
    enrolled: Enrolled,
    image: {
      readonly source: ImageSource;
      readonly seen: FacesSeen;
      /** Whether a degraded face is added, with advice; else it is refused. */
      readonly acceptsDegraded: boolean;
    },
    commit?: CommitUnit,
  ): Promise<EnrolmentResult>;
}

export interface ImageToAdd {
  readonly source: ImageSource;
  readonly signal: AbortSignal;
  readonly acceptsDegraded: boolean;
}

interface EnrolmentDeps {
  readonly lookAtFaces: LookAtFaces;
  readonly people: People;
  readonly images: FaceImages;
  readonly index: Pick<FaceIndex, 'nearestPeople'>;
  readonly imageFiles: Pick<BlobStore, 'write' | 'remove'>;
  readonly quota: FaceQuota;
  readonly commit: CommitUnit;
}

export function createEnrolment(deps: EnrolmentDeps): Enrolment {
  const { lookAtFaces, people, images, index, imageFiles, quota } = deps;

  const findPerson = async (accountId: number, perception: Perception, enrolled: Enrolled) => {
    if ('person' in enrolled) return enrolled.person;
    return 'keyId' in enrolled ? people.findByKeyId(accountId, perception.id, enrolled.keyId) : null;
  };

  const diagnose = async (
    gallery: GalleryRef,
    perception: Perception,
    person: Person | null,
    seen: { readonly face: EmbeddedFace; readonly faces: number; readonly sha256: string },
  ): Promise<Examination> => {
    const { accountId } = gallery;
    const { embedding, quality } = seen.face;
    const [own, other, kept] = await Promise.all([
      person ? index.nearestPeople(gallery, embedding, { people: 1, personId: person.id }) : [],
      findNearestOther(deps, accountId, perception, embedding, person?.id),
      images.withImage(accountId, perception.id, seen.sha256),
    ]);
    return {
      quality,
      faces: seen.faces,
      isKept: kept !== null,
      own: await judgeOwn(deps, perception, own[0], accountId),
      other,
    };
  };

  const enrolment: Enrolment = {
    async add(accountId, perception, enrolled, { source, signal, acceptsDegraded }, commit) {
      const seen = await enrolment.look(accountId, perception, { source, signal });
      return enrolment.keep(accountId, perception, enrolled, { source, seen, acceptsDegraded }, commit);
    },

    look: (accountId, { embedder }, { source, signal }) =>
      lookAtFaces(source, { embedder, liveness: false, accountId, signal }),

    async keep(accountId, perception, enrolled, { source, seen, acceptsDegraded }, commit = deps.commit) {
      const { embedder } = perception;
      const [face] = seen.faces;
      if (face === undefined) {
        await commit([]);
        return { outcome: 'no-face' };
      }
      const gallery = { accountId, perceptionId: perception.id, embedder };
      const person = await findPerson(accountId, perception, enrolled);
      const sha256 = await hashImage(source);
      const faces = facesThatCount(seen.faces).length;
      const examination = await diagnose(gallery, perception, person, { face, faces, sha256 });
      const findings = examine(examination);
      const refused: readonly EnrolmentProblem[] = [
        ...perception.refusedProblems,
        ...(acceptsDegraded ? [] : degradingProblems),
      ];
      if (findings.some(({ problem }) => refused.includes(problem))) {
        await commit([]);
        return { outcome: 'refused', findings };
      }

      await quota.require(accountId, {
        people: person === null ? 1 : 0,
        images: 1,
        bytes: await sizeOf(source),
      });
      const blobId = ownedUuid(accountId);
      const image = {
        keyId: 'keyId' in enrolled ? enrolled.keyId : null,
        blobId,
        imageKind: seen.kind,
        imageBytes: await imageFiles.write(blobId, readImageContent(source)),
        imageSha256: sha256,
        face: toEnrolledFace(seen, face),
        embedder,
        vector: face.embedding,
        isOnce: perception.refusedProblems.includes('same-image'),
      };
      // Requests and replicas that add the same image at once all find none before.
      const kept = () => images.withImage(accountId, perception.id, sha256);
      let added: Awaited<ReturnType<typeof addRows>>;
      try {
        added = await addRows(images, { accountId, perception, enrolled, person }, image, commit);
      } catch (error) {
        // A lost unit may be on disk: then its image must be too. One that no row names is swept later.
        if (error instanceof StorageError && error.code === 'lost') throw error;
        await imageFiles.remove(blobId);
        if (!image.isOnce || (await kept()) === null) throw error;
        await commit([]);
        return { outcome: 'refused', findings: examine({ ...examination, isKept: true }) };
      }
      // Ids of an account are in the order of commits.
      const isKept = ((await kept())?.id ?? added.imageId) < added.imageId;
      return {
        outcome: 'added',
        ...added,
        face: image.face,
        findings: isKept ? examine({ ...examination, isKept }) : findings,
      };
    },
  };
  return enrolment;
}

async function addRows(
  images: FaceImages,
  to: {
    readonly accountId: number;
    readonly perception: Perception;
    readonly enrolled: Enrolled;
    readonly person: Person | null;
  },
  image: NewFaceImage,
  commit: CommitUnit,
): Promise<{ readonly person: Person; readonly imageId: number }> {
  const { accountId, perception, enrolled, person } = to;
  if (person === null && 'keyId' in enrolled) {
    return images.addUnderKey(accountId, perception.id, enrolled.keyId, image, commit);
  }
  if ('newName' in enrolled) {
    return images.addUnderNewName(accountId, perception.id, enrolled.newName, image, commit);
  }
  if (person === null) throw new Error('an image of nobody');
  return { person, imageId: await images.add(accountId, person, image, commit) };
}

async function sizeOf(source: ImageSource): Promise<number> {
  return source.kind === 'bytes' ? source.bytes.byteLength : (await stat(source.path)).size;
}

async function hashImage(source: ImageSource): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readImageContent(source)) hash.update(piece);
  return hash.digest('hex');
}
