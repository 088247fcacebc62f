import { checkName } from '../../accounts/names.js';
import { ServiceError } from '../../core/service-error.js';
import { readTar, readWhole, TarError } from '../../storage/archive/read-tar.js';
import type { RowLease, RowLeases } from '../../storage/leases/row-leases.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Corrections } from '../corrections.js';
import { type Deletion, importLeaseName } from '../deletion.js';
import type { EnrolmentProblem, Perception } from '../perception.js';
import type { Perceptions } from '../perceptions.js';
import { insertPerson } from '../person-rows.js';
import {
  ArchivedCorrection,
  ArchivedImage,
  ArchivedPerception,
  ArchivedPerson,
  ArchiveEnd,
  maxListBytes,
  maxRecordBytes,
  parseMember,
  refuseArchive,
} from './format.js';
import { createImageBatch, type ImageBatch, type ImageBatchDeps } from './image-batch.js';
import { parseList } from './parse-list.js';
import { readVector } from './read-image.js';

export interface ImportDeps extends ImageBatchDeps {
  readonly perceptions: Pick<Perceptions, 'createHidden' | 'reveal'>;
  readonly corrections: Pick<Corrections, 'add'>;
  readonly deletion: Pick<Deletion, 'finishOne'>;
  readonly leases: { readonly rows: Pick<RowLeases, 'take'> };
  /** Of new perceptions. */
  readonly embedder: string;
  /** Whether images can be described with it. */
  readonly isInstalled: (embedder: string) => boolean;
  /** Numbers of a vector of an embedder. */
  readonly dimensionsOf: (embedder: string) => number;
  readonly maxImageBytes: number;
}

export interface ImportOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (imagesDone: number, images: number) => void;
  /** Asked when all of it is there and before anybody sees it; nothing is left where this throws. */
  readonly beforeCommit?: () => Promise<void>;
}

export interface ImportReceipt {
  readonly perception: Perception;
  readonly people: number;
  readonly images: number;
  /** Of these images, re-embedded: the archive's embedder is not installed. */
  readonly reEmbedded: number;
  /**
   * Images in whose image the embedder at hand finds no face where the archive has one, and those that the archive is
   * without.
   */
  readonly leftOut: number;
}

/** People in one unit, so that neither other writers nor the thread wait long. */
const peopleAtOnce = 100;

/**
 * Makes a perception of an archive: new ids, the same names and key ids. Nobody sees it before all of it is there; when
 * anything fails, nothing is left, and what a killed process leaves is removed at its next start, or by another service once its
 * lease is over. Throws `conflict` while another archive of the account is imported, by whichever service; `bad_request`
 * for an archive that is damaged, cut, or not written by an export; `account_full` and `no_space` as soon as what came is too much.
 */
export async function importPerception(
  deps: ImportDeps,
  accountId: number,
  archive: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportReceipt> {
  // One at a time: it holds some megabytes and much of the disk's time.
  const lease = await deps.leases.rows.take(importLeaseName(accountId));
  if (lease === null) {
    throw new ServiceError('conflict', 'another archive of this account is being imported: wait for its end');
  }
  try {
    const signal = AbortSignal.any([options.signal, lease.signal]);
    return await importUnderLease(deps, accountId, archive, { ...options, signal }, lease);
  } finally {
    await lease.release();
  }
}

async function importUnderLease(
  deps: ImportDeps,
  accountId: number,
  archive: AsyncIterable<Uint8Array>,
  { signal, onProgress = () => undefined, beforeCommit }: ImportOptions,
  lease: RowLease,
): Promise<ImportReceipt> {
  let perception: Perception | undefined;
  let batch: ImageBatch | undefined;
  const persons = new Map<number, number>();
  let pending: { readonly number: string; readonly image: ArchivedImage } | undefined;
  let [received, added, reEmbeddedCount, leftOut, missing, expected, ended] = [0, 0, 0, 0, 0, 0, false];
  let archivedEmbedder = '';

  const begun = (): Perception => {
    if (perception === undefined) throw refuseArchive('it does not begin with perception.json');
    return perception;
  };
  const personOf = (number: number): number => {
    const id = persons.get(number);
    if (id === undefined) throw refuseArchive(`it has an image of person ${number}, who is not in it`);
    return id;
  };

  const begin = async (bytes: Buffer) => {
    if (perception !== undefined) throw refuseArchive('it has two perceptions');
    const {
      format: _format,
      formatVersion: _version,
      ...archived
    } = parseMember(ArchivedPerception, 'perception.json', bytes);
    const { embedder, images, calibration, refusedProblems, ...same } = archived;
    const settings = { ...same, refusedProblems: refusedProblems.map(fromArchivedProblem) };
    const isKept = deps.isInstalled(embedder);
    archivedEmbedder = embedder;
    expected = images;
    perception = await deps.perceptions.createHidden(accountId, settings, {
      embedder: isKept ? embedder : deps.embedder,
      // Cosines of another embedder mean something else.
      calibration: isKept ? calibration : null,
    });
    batch = createImageBatch(deps, accountId, perception.id);
  };

  const addPeople = async (name: string, bytes: Buffer) => {
    const people = await parseList(ArchivedPerson, name, bytes);
    for (let at = 0; at < people.length; at += peopleAtOnce) {
      const some = people.slice(at, at + peopleAtOnce);
      await deps.quota.require(accountId, { people: some.length });
      const statements = some.flatMap((person) =>
        insertPerson(deps.database, accountId, begun().id, {
          name: checkName('name', person.name),
          keyId: toArchivedKeyId(person.keyId),
          createdAt: person.createdAt,
        }),
      );
      const results = await deps.database.write(statements);
      for (const [index, { person }] of some.entries()) {
        if (persons.has(person)) throw refuseArchive(`it has person ${person} twice`);
        persons.set(person, Number(results[2 * index + 1]?.rows[0]?.['id']));
      }
    }
  };

  const addCorrections = async (name: string, bytes: Buffer) => {
    const { embedder } = begun();
    const dimensions = deps.dimensionsOf(embedder);
    // Vectors of another embedder cannot be made again: their images are not kept.
    if (embedder !== archivedEmbedder) return;
    for (const { person, vector } of await parseList(ArchivedCorrection, name, bytes)) {
      await deps.corrections.add(accountId, personOf(person), embedder, readVector(vector, dimensions));
    }
  };

  const keepBatch = async () => {
    const kept = await batch?.keep();
    if (kept === undefined) return;
    for (let done = added + leftOut; done < received; done += 1) onProgress(done + 1, expected);
    added += kept.added;
    reEmbeddedCount += kept.reEmbedded;
    leftOut += kept.leftOut;
  };

  const addImage = async (number: string, bytes: Buffer) => {
    if (pending?.number !== number) throw refuseArchive(`its image ${number} does not follow its record`);
    const { image } = pending;
    pending = undefined;
    received += 1;
    const { embedder } = begun();
    const isFull = batch?.put({
      personId: personOf(image.person),
      image,
      content: bytes,
      signal,
      archivedEmbedder,
      embedder,
      dimensions: deps.dimensionsOf(embedder),
    });
    if (isFull) await keepBatch();
  };

  const onMember = async ({ name, bytes }: { readonly name: string; readonly bytes: Buffer }) => {
    signal.throwIfAborted();
    if (ended) throw refuseArchive('something follows its end.json');
    const [folder, number = ''] = name.split(/[/.]/);
    if (name === 'perception.json') return begin(bytes);
    begun();
    if (/\.(image|picture)$/.test(name)) return addImage(number, bytes);
    if (pending !== undefined) throw refuseArchive(`the image of ${pending.number} is missing`);
    if (folder === 'people') return addPeople(name, bytes);
    if (folder === 'corrections') return addCorrections(name, bytes);
    if (folder === 'images') {
      const { keyId, ...image } = parseMember(ArchivedImage, name, bytes);
      pending = { number, image: { ...image, keyId: toArchivedKeyId(keyId) } };
      return;
    }
    const end = parseMember(ArchiveEnd, name, bytes);
    if (end.people !== persons.size || end.images !== received) {
      throw refuseArchive('it has other people or images than its end.json says');
    }
    await keepBatch();
    missing = end.leftOut ?? 0;
    ended = true;
  };

  try {
    for await (const member of readTar(archive)) {
      const bytes = await readWhole(member, limitOf(member.name, deps.maxImageBytes));
      await onMember({ name: member.name, bytes });
    }
    if (!ended) throw refuseArchive('it was cut short');
    await beforeCommit?.();
    const revealed = await deps.perceptions.reveal(accountId, begun().id, added, lease.fence);
    return {
      perception: revealed,
      people: persons.size,
      images: added,
      reEmbedded: reEmbeddedCount,
      leftOut: leftOut + missing,
    };
  } catch (error) {
    if (perception !== undefined) await deps.deletion.finishOne(accountId, perception);
    throw toImportError(error);
  }
}

function fromArchivedProblem(problem: EnrolmentProblem | 'same-picture'): EnrolmentProblem {
  return problem === 'same-picture' ? 'same-image' : problem;
}

function toArchivedKeyId(keyId: string | null): string | null {
  return keyId === null ? null : checkName('key id', keyId);
}

function limitOf(name: string, maxImageBytes: number): number {
  if (/^images\/[0-9]{1,16}\.(image|picture)$/.test(name)) return maxImageBytes;
  if (/^(people|corrections)\/[0-9]{1,16}\.json$/.test(name)) return maxListBytes;
  if (/^(images\/[0-9]{1,16}|perception|end)\.json$/.test(name)) return maxRecordBytes;
  throw refuseArchive(`its member ${JSON.stringify(name.slice(0, 100))} does not belong there`);
}

function toImportError(error: unknown): unknown {
  if (error instanceof TarError) return refuseArchive(error.message, error);
  if (error instanceof ServiceError && error.code === 'wrong_parameters') {
    return refuseArchive(error.message, error);
  }
  if (error instanceof StorageError && error.code === 'unique') {
    return refuseArchive('it has two people of one key id', error);
  }
  const isGone =
    (error instanceof ServiceError && error.code === 'not_found') ||
    (error instanceof StorageError && (error.code === 'constraint' || error.code === 'not-null'));
  if (!isGone) return error;
  return new ServiceError(
    'conflict',
    'the perception was removed while it was imported, as services do when the lease of an import is not renewed: import it again',
    { cause: error },
  );
}
