import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { ignoreMissing, TagProblem } from './tag-problem.js';

/** By which a file is known without reading it: it has changed where one of these has. */
export const Identity = Type.Object({
  inode: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0 }),
  /** Nanoseconds since 1970. */
  modifiedNs: Type.String(),
});
export type Identity = Static<typeof Identity>;

/** A file as it was at one time. */
export const Stamp = Type.Object({ ...Identity.properties, sha256: Type.String() });
export type Stamp = Static<typeof Stamp>;

interface BigStats {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export function identityOf({ ino, size, mtimeNs }: BigStats): Identity {
  return { inode: String(ino), sizeBytes: Number(size), modifiedNs: String(mtimeNs) };
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
  return (
    one.inode === other.inode && one.sizeBytes === other.sizeBytes && one.modifiedNs === other.modifiedNs
  );
}

/** Null when there is nothing, or something else than a file. */
export async function findIdentity(path: string): Promise<Identity | null> {
  const found = await lstat(path, { bigint: true }).catch(ignoreMissing);
  return found?.isFile() ? identityOf(found) : null;
}

/** Whether a file is as it was, wherever it was copied or moved to meanwhile. Reads it only where size alone is the same. */
export async function isAsStamped(path: string, stamp: Stamp): Promise<boolean> {
  const found = await findIdentity(path);
  if (found === null || found.sizeBytes !== stamp.sizeBytes) return false;
  return isSameIdentity(found, stamp) || (await hashFile(path)) === stamp.sha256;
}

/** SHA-256, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

export async function stampOf(path: string): Promise<Stamp> {
  const found = await findIdentity(path);
  if (!found) throw new TagProblem('it is no file any more');
  return { ...found, sha256: await hashFile(path) };
}

/** Bytes that are copied at once. */
const pieceBytes = 1024 * 1024;

/**
 * Copies a file to where nothing else changes it. Throws `TagProblem` when it changes meanwhile, or is not the file that was
 * looked at before.
 */
export async function takeSnapshot(path: string, expected: Identity, copyPath: string): Promise<Stamp> {
  // A link or a pipe that replaced the file is neither followed nor waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = identityOf(await file.stat({ bigint: true }));
    const sha256 = await copyTo(file, copyPath);
    const after = identityOf(await file.stat({ bigint: true }));
    if (!isSameIdentity(before, expected) || !isSameIdentity(before, after)) throw changing();
    return { ...before, sha256 };
  } finally {
    await file.close();
  }
}

export function changing(): TagProblem {
  return new TagProblem('it changed while it was looked at; run the command again');
}

async function copyTo(file: FileHandle, copyPath: string): Promise<string> {
  const hash = createHash('sha256');
  const copy = await open(copyPath, 'wx', 0o600);
  try {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes, null);
      if (bytesRead === 0) return hash.digest('hex');
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      await copy.writeFile(piece);
    }
  } finally {
    await copy.close();
  }
}
