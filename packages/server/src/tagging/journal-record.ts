import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { syncFolder } from '../storage/durable-folder.js';
import { compareFiles, Piece, readStretch } from './delta.js';
import { nameHash } from './name-hash.js';
import { hashFile, Identity, Stamp } from './stamp.js';
import { ignoreMissing, TagProblem } from './tag-problem.js';

/** How a file gets its former bytes back. */
const Undo = Type.Object({
  /** Name of the file that was written: the image itself, or its sidecar. */
  target: Type.String(),
  /** As it was before the first keywords of this command; null for a sidecar that was not there. */
  before: Type.Union([Type.Object({ sizeBytes: Type.Integer(), sha256: Type.String() }), Type.Null()]),
  /** As it was written. */
  after: Stamp,
  /** The file whose place this took; null where there was none. */
  replaced: Type.Union([Identity, Type.Null()]),
  /** How the former bytes are made from the written ones. */
  pieces: Type.Array(Piece),
});
export type Undo = Static<typeof Undo>;

/** What the journal has of an image, or of a sidecar: one line of JSON, and behind it the bytes of the former file that the new one lacks. */
export const JournalRecord = Type.Object({
  version: Type.Literal(1),
  image: Type.String(),
  /** What the image was looked at with, as a hash: other settings may find other keywords. */
  settings: Type.String(),
  outcome: Type.Enum(['tagged', 'nothing-to-add', 'failed', 'undone']),
  /** The image after this. */
  stamp: Stamp,
  /** Keywords that were added, of all runs. */
  added: Type.Array(Type.String()),
  /** Name of the sidecar that was written in place of the image; its own record has its former bytes. */
  sidecar: Type.Optional(Type.String()),
  /** Of a sidecar: the images whose keywords it has. */
  images: Type.Optional(Type.Array(Type.String())),
  /** Null where nothing was written. */
  undo: Type.Union([Undo, Type.Null()]),
});
export type JournalRecord = Static<typeof JournalRecord>;

/** Above which a line is not a record's: 200 keywords of each of many runs, and a few hundred pieces, are far below. */
const maxHeaderBytes = 1024 * 1024;
const newLine = 0x0a;

/** The record of a file; null where there is none. One that cannot be read is a `TagProblem`, so that nothing replaces it. */
export async function readRecord(path: string): Promise<JournalRecord | null> {
  const file = await open(path).catch(ignoreMissing);
  if (!file) return null;
  try {
    return (await readHeader(file, path)).record;
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle, path: string) {
  const { size } = await file.stat();
  let head = Buffer.alloc(0);
  for await (const piece of readStretch(file, 0, Math.min(size, maxHeaderBytes))) {
    head = Buffer.concat([head, piece]);
    if (piece.includes(newLine)) break;
  }
  const end = head.indexOf(newLine);
  const record: unknown = end < 0 ? null : parse(head.subarray(0, end).toString());
  if (Value.Check(JournalRecord, record) && isOfFolder(record, path)) return { record, bodyAt: end + 1 };
  throw new TagProblem(`its record in the journal is damaged: ${path}`, { isLasting: true });
}

/** A record names files of its own folder alone, whoever wrote it, and is named by one of them. */
function isOfFolder({ image, sidecar = image, images = [], undo }: JournalRecord, path: string): boolean {
  const names = [image, sidecar, undo?.target ?? image];
  return (
    [...names, ...images].every(isPlainName) &&
    names.some((name) => basename(path).startsWith(`${nameHash(name)}.`))
  );
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && basename(name) === name && !name.includes('\0');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Writes a record in the place of the one that is there, whole or not at all; it is on disk when this resolves.
 * @param body what follows the line
 */
async function replaceRecord(
  path: string,
  record: JournalRecord,
  body: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`);
    await body(file);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** The images that a record is of: a sidecar may be that of several. */
export function imagesOf({ image, images = [image] }: Pick<JournalRecord, 'image' | 'images'>) {
  return images;
}

/** A record without former bytes. */
export function writeRecord(path: string, record: JournalRecord): Promise<void> {
  return replaceRecord(path, record, async () => undefined);
}

/** The same record with other fields; the former bytes behind it stay. */
export async function changeRecord(path: string, change: Partial<JournalRecord>): Promise<void> {
  const old = await open(path);
  try {
    const { record, bodyAt } = await readHeader(old, path);
    const { size } = await old.stat();
    await replaceRecord(path, { ...record, ...change }, async (file) => {
      for await (const piece of readStretch(old, bodyAt, size - bodyAt)) await file.writeFile(piece);
    });
  } finally {
    await old.close();
  }
}

/**
 * Writes the record of a file that is about to be replaced: with it the file at `formerPath` can be made from the one at
 * `laterPath`. Throws where a trial of that gives another file.
 * @param tryPath where the trial is written, and removed
 */
export async function writeUndoRecord(
  path: string,
  record: Omit<JournalRecord, 'undo'> & { readonly undo: Omit<Undo, 'pieces'> },
  { formerPath, laterPath, tryPath }: { formerPath: string; laterPath: string; tryPath: string },
): Promise<void> {
  const pieces = await compareFiles(formerPath, laterPath);
  const former = await open(formerPath);
  try {
    await replaceRecord(path, { ...record, undo: { ...record.undo, pieces } }, async (file) => {
      let at = 0;
      for (const { copied, bytes } of pieces) {
        if (copied === null) {
          for await (const piece of readStretch(former, at, bytes)) await file.writeFile(piece);
        }
        at += bytes;
      }
    });
  } finally {
    await former.close();
  }
  await restoreFormer(path, laterPath, tryPath);
  await rm(tryPath);
}

/** Makes the former file of a record from the written one. Throws `TagProblem` where the result is not the former file. */
export async function restoreFormer(path: string, laterPath: string, outPath: string): Promise<void> {
  const journal = await open(path);
  const later = await open(laterPath);
  const out = await open(outPath, 'wx', 0o600);
  try {
    const { record, bodyAt } = await readHeader(journal, path);
    if (!record.undo?.before) throw new TagProblem('there was no file before');
    let keptAt = bodyAt;
    for (const { copied, bytes } of record.undo.pieces) {
      const stretch =
        copied === null ? readStretch(journal, keptAt, bytes) : readStretch(later, copied, bytes);
      for await (const piece of stretch) await out.writeFile(piece);
      if (copied === null) keptAt += bytes;
    }
    await out.sync();
    if ((await hashFile(outPath)) !== record.undo.before.sha256) {
      throw new TagProblem('its former bytes cannot be made from it and the journal', { isLasting: true });
    }
  } finally {
    await Promise.all([journal.close(), later.close(), out.close()]);
  }
}
