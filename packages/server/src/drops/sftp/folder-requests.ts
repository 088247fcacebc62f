import { openListing } from './folder-listing.js';
import { findEntry } from './path-requests.js';
import { statusCodes } from './protocol.js';
import { type Answer, pathOf } from './request-context.js';
import { writeEntries, writeHandle, writeStatus } from './responses.js';
import { Refusal } from './status-of-error.js';

export const opendir: Answer<'opendir'> = async (context, { id, path: text }) => {
  const { handles, drop } = context;
  const path = pathOf(text);
  handles.checkCanOpen();
  const { kind } = await findEntry(context, path);
  if (kind !== 'folder') throw new Refusal(statusCodes.failure, 'This is no folder.');
  return [writeHandle(id, handles.add(openListing(drop.folders, path)))];
};

export const readdir: Answer<'readdir'> = async ({ handles, clock }, { id, handle }) => {
  const entries = await handles.getListing(handle).next();
  if (entries.length === 0) return [writeStatus(id, statusCodes.eof, 'That is all.')];
  return [writeEntries(id, entries, clock())];
};

export const mkdir: Answer<'mkdir'> = async ({ drop }, { id, path }) => {
  await drop.folders.makeFolder(pathOf(path));
  return [writeStatus(id, statusCodes.ok, 'Created.')];
};

export const rmdir: Answer<'rmdir'> = async ({ drop }, { id, path }) => {
  await drop.folders.removeFolder(pathOf(path));
  return [writeStatus(id, statusCodes.ok, 'Removed.')];
};
