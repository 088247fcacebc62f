import { createHash } from 'node:crypto';
import { EngineError } from '@lynceus/engine';
import { createKeyedMutex } from '../../core/keyed-mutex.js';
import { ServiceError } from '../../core/service-error.js';
import type { ProcessLeases } from '../../storage/leases/process-leases.js';
import { StorageError } from '../../storage/storage-error.js';
import { isDegrading } from '../degraded.js';
import type { Enrolled, Enrolment, EnrolmentResult } from '../enrolment.js';
import type { FaceImages } from '../face-images.js';
import type { People } from '../people.js';
import type { Perception } from '../perception.js';
import type { Perceptions } from '../perceptions.js';
import type { ImageVerdict } from './verdict.js';

/** Whom a folder's name means in the perception. */
interface EnrolledByName {
  readonly to: Enrolled;
  /** Null while nobody is called so. */
  readonly personId: number | null;
}

interface EnrolDeps {
  readonly enrolment: Pick<Enrolment, 'look' | 'keep'>;
  readonly people: Pick<People, 'findByKeyId' | 'withName' | 'named'>;
  readonly images: Pick<FaceImages, 'withImage'>;
  readonly perceptions: Pick<Perceptions, 'read'>;
  readonly leases: Pick<ProcessLeases, 'withSharedLock'>;
}

export type Outcome = Pick<ImageVerdict, 'verdict' | 'imageId' | 'advice'>;

/** Adds one image to whom the name means. Throws what no other image would fare better with. */
export type EnrolImage = (name: string, bytes: Buffer) => Promise<Outcome>;

export function createEnrolImage(
  { enrolment, people, images, perceptions, leases }: EnrolDeps,
  accountId: number,
  perception: Perception,
  { acceptsDegraded }: { readonly acceptsDegraded: boolean },
): EnrolImage {
  const enrolled = createFindEnrolled(people, accountId, perception.id);
  const withKeyLock = createKeyedMutex();
  // What is being looked at is kept too: an end is an end between two images.
  const { signal } = new AbortController();

  const findKept = async (sha256: string, personId: number | null): Promise<Outcome | null> => {
    const own = personId === null ? null : await images.withImage(accountId, perception.id, sha256, personId);
    if (own !== null) return { verdict: 'there-already', imageId: own.id, advice: null };
    const kept = await images.withImage(accountId, perception.id, sha256);
    if (kept === null) return null;
    const { name } = (await people.named(accountId, [kept.personId])).get(kept.personId) ?? {};
    const advice = `it is an image of ${name ?? 'another person'} (${kept.personId}) there: move it or take it away`;
    return { verdict: 'under-another-name', imageId: kept.id, advice };
  };

  /** With the embedder that it has now: it may be given another one while a tree is read. */
  let current = perception;

  const keep = async (
    described: Perception,
    name: string,
    image: Parameters<Enrolment['keep']>[3],
  ): Promise<Outcome> => {
    const found = await enrolled.find(name);
    if (found === null) return severalOf(name);
    if (found.personId !== null) return keepAs(described, name, found, image);
    // Another command or service may be enrolling the same people: one of them makes the person.
    return leases.withSharedLock(`enrol ${accountId} ${perception.id} ${name}`, async () => {
      enrolled.forget(name);
      const now = await enrolled.find(name);
      return now === null ? severalOf(name) : keepAs(described, name, now, image);
    });
  };

  const keepAs = async (
    described: Perception,
    name: string,
    found: EnrolledByName,
    image: Parameters<Enrolment['keep']>[3],
  ): Promise<Outcome> => {
    try {
      const result = await enrolment.keep(accountId, described, found.to, image);
      if (found.personId === null && result.outcome === 'added') enrolled.forget(name);
      return toOutcome(result);
    } catch (error) {
      // Perhaps since the person was deleted meanwhile.
      enrolled.forget(name);
      throw error;
    }
  };

  const enrol = async (
    described: Perception,
    name: string,
    bytes: Buffer,
    sha256: string,
  ): Promise<Outcome> => {
    const found = await enrolled.find(name);
    if (found === null) return severalOf(name);
    const kept = await findKept(sha256, found.personId);
    if (kept !== null) return kept;
    const source = { kind: 'bytes', bytes } as const;
    const seen = await enrolment.look(accountId, described, { source, signal });
    // One at a time: the first makes the person, and each is compared with those before it.
    return withKeyLock(`person ${name}`, () => keep(described, name, { source, seen, acceptsDegraded }));
  };

  return async (name, bytes) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    for (;;) {
      const described = current;
      try {
        // The same image twice in a tree: the second finds the first there.
        return await withKeyLock(`image ${sha256}`, () => enrol(described, name, bytes, sha256));
      } catch (error) {
        if (!isGone(error)) return toFailure(error);
        // Throws when it is not the person alone who is gone.
        current = await perceptions.read(accountId, perception.id);
        if (current.embedder === described.embedder) return toFailure(error);
      }
    }
  };
}

function isGone(error: unknown): boolean {
  if (error instanceof StorageError) return error.code === 'constraint';
  return error instanceof ServiceError && error.code === 'not_found';
}

function severalOf(name: string): Outcome {
  const advice = `several people of the perception are called ${name}: merge or rename them, or call the folder by the key id of one`;
  return { verdict: 'refused', imageId: null, advice };
}

function toOutcome(result: EnrolmentResult): Outcome {
  if (result.outcome === 'no-face') return { verdict: 'no-face', imageId: null, advice: null };
  const advice = result.findings.map((finding) => finding.advice).join('; ') || null;
  if (result.outcome === 'refused') {
    const isDegraded = result.findings.some(({ problem }) => isDegrading(problem));
    const how = isDegraded ? '; --accept-problems adds it, and it never makes a match' : '';
    return { verdict: 'refused', imageId: null, advice: `${advice}${how}` };
  }
  return { verdict: advice === null ? 'added' : 'added-with-advice', imageId: result.imageId, advice };
}

function toFailure(error: unknown): Outcome {
  if (!(error instanceof ServiceError)) throw error;
  const isModelMissing = error.cause instanceof EngineError && error.cause.code === 'model-missing';
  if (isModelMissing) throw error;
  return { verdict: verdictOn(error), imageId: null, advice: error.message };
}

function verdictOn({ code }: ServiceError): 'not-an-image' | 'too-large' | 'failed' {
  if (code === 'unsupported_image' || code === 'no_file') return 'not-an-image';
  return code === 'file_too_large' ? 'too-large' : 'failed';
}

/** A person of this key id; else the one of this name; else one who is to be made. */
function createFindEnrolled(
  people: Pick<People, 'findByKeyId' | 'withName'>,
  accountId: number,
  perceptionId: number,
) {
  const known = new Map<string, EnrolledByName | null>();
  const ask = async (name: string): Promise<EnrolledByName | null> => {
    const keyed = await people.findByKeyId(accountId, perceptionId, name);
    if (keyed !== null) return { to: { keyId: name }, personId: keyed.id };
    const [person, second] = await people.withName(accountId, perceptionId, name);
    if (second !== undefined) return null;
    if (person !== undefined) return { to: { person }, personId: person.id };
    return { to: { newName: name }, personId: null };
  };
  return {
    /** Null when several people have the name. */
    async find(name: string): Promise<EnrolledByName | null> {
      const found = known.get(name);
      if (found !== undefined) return found;
      const asked = await ask(name);
      known.set(name, asked);
      return asked;
    },
    /** To be read again: a person was created or deleted. */
    forget: (name: string) => void known.delete(name),
  };
}
