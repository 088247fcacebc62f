import type { FileBytes } from './file-bytes.js';
import type { FileRow } from './file-rows.js';

/** Bytes that go with a file: as it came, a raw file's preview, with keywords, its sidecar, and why it failed. */
export type FilePart = 'original' | 'preview' | 'image' | 'sidecar' | 'reason';

const endings: Readonly<Record<FilePart, string>> = {
  original: '',
  preview: '-preview',
  image: '-picture',
  // As it is called beside its image.
  sidecar: '-picture.xmp',
  reason: '-reason',
};
const parts = Object.keys(endings) as readonly FilePart[];

/** The id of its bytes. */
export function partId(fileId: string, part: FilePart): string {
  return `${fileId}${endings[part]}`;
}

/** Parts that have rows of their own while their file is in `done` or `failed`, so that FTP and SFTP show them beside it. */
const shownBeside = ['sidecar', 'reason'] as const;

/** How ids of rows end that are no photographs: they go with the file beside them. */
export const endingsBeside: readonly string[] = shownBeside.map((part) => endings[part]);

/** The ids of rows that go with a file: its own, and those of what is shown beside it. */
export function rowIdsOf(fileId: string): readonly string[] {
  return [fileId, ...shownBeside.map((part) => partId(fileId, part))];
}

/** The ids of all bytes that a file may have; of the row of a part, its own alone. */
export function partsOf(id: string): readonly string[] {
  return fileOfPart(id) === id ? parts.map((part) => partId(id, part)) : [id];
}

/** The file that some bytes belong to. */
export function fileOfPart(id: string): string {
  const part = parts.find((each) => each !== 'original' && id.endsWith(endings[each]));
  return part === undefined ? id : id.slice(0, -endings[part].length);
}

/** What is shown of a file: with its keywords, where there is that. */
export function shownPart({ state, output }: Pick<FileRow, 'state' | 'output'>): FilePart {
  return state === 'done' && output?.includes('"part":"image"') ? 'image' : 'original';
}

/** Removes the bytes of a row: of a file those of all its parts but these, of a part its own. */
export async function removeParts(
  bytes: Pick<FileBytes, 'remove'>,
  fileId: string,
  kept: readonly FilePart[] = [],
): Promise<void> {
  const keptIds = kept.map((part) => partId(fileId, part));
  for (const id of partsOf(fileId)) if (!keptIds.includes(id)) await bytes.remove(id);
}
