import { jsonMember, type TarMember, writeTar } from '../../storage/archive/write-tar.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { Perception } from '../perception.js';
import {
  checkIsThere,
  correctionsOf,
  countNotEmbedded,
  imagesOf,
  isImageThere,
  peopleOf,
  type RowsDeps,
} from './archived-rows.js';
import type { ArchivedImage } from './format.js';
import { archiveFormat, archiveVersion } from './format.js';

export interface ExportDeps extends RowsDeps {
  readonly imageFiles: Pick<BlobStore, 'read'>;
}

export interface ExportOptions {
  /** Called once, before the end, where images are not in the archive. */
  readonly onLeftOut?: (left: LeftOut) => void;
}

/** Images of the perception that an archive is without. */
export interface LeftOut {
  /** Whose faces the embedder in use has not described. */
  readonly notEmbedded: number;
  /** Whose images are lost. */
  readonly withoutImage: number;
}

/**
 * A perception as one archive, piece by piece: settings, people, corrections, images with their bytes and vectors. What is
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
  let withoutImage = 0;
  for await (const { number, blobId, ...image } of imagesOf(deps, accountId, perception)) {
    yield* people.upTo(image.person);
    const content = await deps.imageFiles.read(blobId);
    if (content === null) {
      if (await isImageThere(deps, accountId, number)) withoutImage += 1;
      continue;
    }
    try {
      yield jsonMember(`images/${number}.json`, image satisfies ArchivedImage);
      yield {
        name: `images/${number}.image`,
        sizeBytes: content.sizeBytes,
        content: content.stream,
      };
    } finally {
      content.stream.destroy();
    }
    images += 1;
  }
  await checkIsThere(deps, accountId, id);
  const notEmbedded = await countNotEmbedded(deps, accountId, perception);
  const leftOut = notEmbedded + withoutImage;
  if (leftOut > 0) onLeftOut?.({ notEmbedded, withoutImage });
  yield jsonMember('end.json', { people: people.count(), images, leftOut });
}

/**
 * The people of a perception, each once. A new person may get images or corrections during the export,
 * and is then listed before those.
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
          // After another person was listed with it, it moved to this one.
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
