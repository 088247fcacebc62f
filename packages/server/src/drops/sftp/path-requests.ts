import type { DropEntry, DropPath } from '../drop-folders.js';
import { showPath } from '../servers/paths.js';
import type { GivenAttributes } from './packet-fields.js';
import { statusCodes } from './protocol.js';
import { type Answer, pathOf, type RequestContext } from './request-context.js';
import { writeAttributes, writeDiskSpace, writePath, writeStatus } from './responses.js';
import { Refusal } from './status-of-error.js';

/** What is at a path, whose size the session is about to be given. Throws `Refusal` when nothing is. */
export async function findEntry(context: RequestContext, path: DropPath): Promise<DropEntry> {
  const { drop, knownSizes, clock } = context;
  if (path.length === 0) return { name: '/', kind: 'folder', sizeBytes: 0, modifiedMs: clock() };
  knownSizes.add(path, 'unread');
  const found = await drop.folders.find(path);
  knownSizes.add(path, found?.sizeBytes ?? 0);
  if (found) return found;
  throw new Refusal(statusCodes.noSuchFile, `There is no ${showPath(path)}.`);
}

export const stat: Answer<'stat'> = async (context, { id, path }) => [
  writeAttributes(id, await findEntry(context, pathOf(path))),
];

/** Accepted, since most clients set times and permissions of what they sent; nothing of it is kept. */
export const setstat: Answer<'setstat'> = async (context, { id, path, attributes }) => {
  const { sizeBytes } = await findEntry(context, pathOf(path));
  return [accept(id, attributes, sizeBytes)];
};

/** Throws `Refusal` for another size. */
export function accept(id: number, attributes: GivenAttributes, sizeBytes: number): Buffer {
  if (attributes.sizeBytes === undefined || attributes.sizeBytes === sizeBytes)
    return writeStatus(id, statusCodes.ok, 'Accepted.');
  throw new Refusal(statusCodes.opUnsupported, 'The size of a file is changed by sending it.');
}

export const realpath: Answer<'realpath'> = async (_context, { id, path }) => [
  writePath(id, showPath(pathOf(path))),
];

export const remove: Answer<'remove'> = async ({ drop, knownSizes }, { id, path }) => {
  knownSizes.clear();
  await drop.folders.removeFile(pathOf(path));
  return [writeStatus(id, statusCodes.ok, 'Removed.')];
};

export const rename: Answer<'rename'> = async ({ drop, knownSizes }, { id, from, to }) => {
  knownSizes.clear();
  await drop.folders.rename(pathOf(from), pathOf(to));
  return [writeStatus(id, statusCodes.ok, 'Renamed.')];
};

export const statvfs: Answer<'statvfs'> = async (context, { id }) => [await showDiskSpace(context, id)];

export async function showDiskSpace({ diskSpace }: RequestContext, id: number): Promise<Buffer> {
  const space = await diskSpace();
  if (space === null) throw new Refusal(statusCodes.opUnsupported, 'Files are in an object store here.');
  return writeDiskSpace(id, space);
}
