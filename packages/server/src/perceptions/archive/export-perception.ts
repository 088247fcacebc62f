import { ServiceError } from '../../errors/service-error.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { Database } from '../../storage/database.js';
import type { Perception } from '../perception.js';
import type { ArchivedImage } from './format.js';
import { archiveFormat, archiveVersion, recordsInMember } from './format.js';
import { jsonMember, type TarMember, writeTar } from './write-tar.js';

export interface ExportDeps {
  readonly database: Pick<Database, 'query'>;
  readonly pictures: Pick<BlobStore, 'read'>;
}

export interface ExportOptions {
  /** Told once, before the end, where images are not in the archive. */
  readonly onLeftOut?: (left: LeftOut) => void;
}

/** Images of the perception that an archive is without. */
export interface LeftOut {
  /** Whose faces the embedder in use has not described. */
  readonly undescribed: number;
  /** Whose pictures are lost. */
  readonly withoutPicture: number;
}

/**
 * A perception as one archive, piece by piece: settings, people, corrections, images with pictures and vectors. What is
 * added or deleted meanwhile is in it or not; when the perception itself is deleted it breaks off, and is seen to be cut.
 */
export function exportPerception(
  deps: ExportDeps,
  accountId: number,
  perception: Perception,
  options: ExportOptions = {},
): AsyncIterable<Uint8Array> {
  return writeTar(membersOf(deps, accountId, perception, options));
}

async function* membersOf(
  deps: ExportDeps,
  accountId: number,
  perception: Perception,
  { onLeftOut }: ExportOptions,
): AsyncIterable<TarMember> {
  const { id, uid: _uid, createdAt: _createdAt, ...settings } = perception;
  const row = await deps.database.query
    .selectFrom('face_image')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('perception_id', '=', id)
    .executeTakeFirst();
  yield jsonMember('perception.json', {
    format: archiveFormat,
    formatVersion: archiveVersion,
    ...settings,
    images: row?.count ?? 0,
  });
  const people = listPeople(deps, accountId, id);
  yield* people.upTo(Number.MAX_SAFE_INTEGER);
  for await (const { after, some } of correctionsOf(deps, accountId, perception)) {
    yield* people.upTo(Math.max(...some.map(({ person }) => person)));
    yield jsonMember(`corrections/${after}.json`, some);
  }
  let images = 0;
  let withoutPicture = 0;
  for await (const { number, blobId, ...image } of imagesOf(deps, accountId, perception)) {
    yield* people.upTo(image.person);
    const picture = await deps.pictures.read(blobId);
    if (picture === null) {
      if (await isImageThere(deps, accountId, number)) withoutPicture += 1;
      continue;
    }
    try {
      yield jsonMember(`images/${number}.json`, image satisfies ArchivedImage);
      yield {
        name: `images/${number}.picture`,
        sizeBytes: picture.sizeBytes,
        content: picture.stream,
      };
    } finally {
      picture.stream.destroy();
    }
    images += 1;
  }
  await checkIsThere(deps, accountId, id);
  const undescribed = await countUndescribed(deps, accountId, perception);
  const leftOut = undescribed + withoutPicture;
  if (leftOut > 0) onLeftOut?.({ undescribed, withoutPicture });
  yield jsonMember('end.json', { people: people.count(), images, leftOut });
}

async function isImageThere(
  { database: { query } }: ExportDeps,
  accountId: number,
  id: number,
): Promise<boolean> {
  const row = await query
    .selectFrom('face_image')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

async function countUndescribed(
  { database: { query } }: ExportDeps,
  accountId: number,
  { id, embedder }: Perception,
): Promise<number> {
  const row = await query
    .selectFrom('face_image')
    .leftJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id')
        .on('face_embedding.embedder', '=', embedder),
    )
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('face_image.account_id', '=', accountId)
    .where('face_image.perception_id', '=', id)
    .where('face_embedding.image_id', 'is', null)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Else what was not told yet is missing from what looks whole. */
async function checkIsThere(
  { database: { query } }: ExportDeps,
  accountId: number,
  id: number,
): Promise<void> {
  const row = await query
    .selectFrom('perception')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', `perception ${id} was deleted while it was exported`);
}

/**
 * The people of a perception, each once. Somebody new may get images or corrections while the archive is on its way out,
 * and is then told before those.
 */
function listPeople(deps: ExportDeps, accountId: number, perceptionId: number) {
  const keyIds = new Set<string>();
  let [count, last] = [0, 0];
  return {
    count: () => count,
    /** Members for those who are not listed yet, if the id is one of theirs: ids count up. */
    async *upTo(id: number): AsyncIterable<TarMember> {
      if (id <= last) return;
      for await (const rows of peopleOf(deps, accountId, perceptionId, last)) {
        const some = rows.map((row) => {
          // Since somebody else was listed with it, it went over to this one.
          const isTaken = row.keyId !== null && keyIds.has(row.keyId);
          if (row.keyId !== null) keyIds.add(row.keyId);
          return isTaken ? { ...row, keyId: null } : row;
        });
        count += some.length;
        last = some.at(-1)?.person ?? last;
        yield jsonMember(`people/${some[0]?.person}.json`, some);
      }
    },
  };
}

async function* peopleOf(
  { database: { query } }: ExportDeps,
  accountId: number,
  perceptionId: number,
  listed: number,
) {
  for (let after = listed; ; ) {
    const rows = await query
      .selectFrom('person')
      .select(['id as person', 'name', 'key_id as keyId', 'created_at as createdAt'])
      .where('account_id', '=', accountId)
      .where('perception_id', '=', perceptionId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(recordsInMember)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.person;
  }
}

async function* correctionsOf(
  { database: { query } }: ExportDeps,
  accountId: number,
  { id, embedder }: Perception,
) {
  for (let after = 0; ; ) {
    const rows = await query
      .selectFrom('face_correction')
      .innerJoin('person', (join) =>
        join
          .onRef('person.account_id', '=', 'face_correction.account_id')
          .onRef('person.id', '=', 'face_correction.person_id'),
      )
      .select(['face_correction.id', 'person.id as person', 'vector'])
      .where('face_correction.account_id', '=', accountId)
      .where('person.perception_id', '=', id)
      .where('face_correction.embedder', '=', embedder)
      .where('face_correction.id', '>', after)
      .orderBy('face_correction.id')
      .limit(recordsInMember)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield { after, some: rows.map(({ person, vector }) => ({ person, vector: toText(vector) })) };
    after = last.id;
  }
}

const imagesAtOnce = 200;

async function* imagesOf(
  { database: { query } }: ExportDeps,
  accountId: number,
  { id, embedder }: Perception,
) {
  for (let after = 0; ; ) {
    const rows = await query
      .selectFrom('face_image')
      .innerJoin('face_embedding', (join) =>
        join
          .onRef('face_embedding.account_id', '=', 'face_image.account_id')
          .onRef('face_embedding.image_id', '=', 'face_image.id')
          .on('face_embedding.embedder', '=', embedder),
      )
      .select([
        'face_image.id as number',
        'blob_id as blobId',
        'person_id as person',
        'key_id as keyId',
        'picture_sha256 as sha256',
        'face',
        'created_at as createdAt',
        'vector',
      ])
      .where('face_image.account_id', '=', accountId)
      .where('face_image.perception_id', '=', id)
      .where('face_image.id', '>', after)
      .orderBy('face_image.id')
      .limit(imagesAtOnce)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    // The face was written by us alone.
    for (const row of rows) yield { ...row, face: JSON.parse(row.face), vector: toText(row.vector) };
    after = last.number;
  }
}

/** Little-endian 32-bit floats as base64. */
function toText(vector: Uint8Array): string {
  return Buffer.from(vector).toString('base64');
}
