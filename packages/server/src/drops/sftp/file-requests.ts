import type { DropEntry } from '../drop-folders.js';
import { showPath } from '../servers/paths.js';
import { openDownload } from './download.js';
import { accept, showDiskSpace } from './path-requests.js';
import { maxDataBytes, maxPacketBytes, openFlags, statusCodes } from './protocol.js';
import { type Answer, pathOf, type RequestContext } from './request-context.js';
import { writeAttributes, writeData, writeHandle, writeLimits, writeStatus } from './responses.js';
import { Refusal, statusOfError } from './status-of-error.js';
import { openUpload, type SettledWrite } from './upload.js';

export const open: Answer<'open'> = async (context, request) => {
  context.handles.checkCanOpen();
  const isForWriting = (request.flags & (openFlags.write | openFlags.append)) !== 0;
  return isForWriting ? openForWriting(context, request) : openForReading(context, request);
};

const openForReading: Answer<'open'> = async ({ drop, handles }, { id, path: text }) => {
  const path = pathOf(text);
  const entry = path.length === 0 ? null : await drop.folders.find(path);
  if (entry === null) throw new Refusal(statusCodes.noSuchFile, `There is no file ${showPath(path)}.`);
  if (entry.kind === 'folder') throw new Refusal(statusCodes.failure, 'This is a folder.');
  return [writeHandle(id, handles.add(openDownload(drop.folders, path, entry)))];
};

const openForWriting: Answer<'open'> = async (context, { id, path: text, flags }) => {
  const { drop, handles, knownSizes, heldBudgets } = context;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const path = pathOf(text);
  if (context.isStopping()) throw new Refusal(statusCodes.failure, 'The service stops; come back later.');
  const knownSize = knownSizes.take(path);
  const existing = path.length === 0 ? null : await drop.folders.find(path);
  if (existing?.kind === 'folder') throw new Refusal(statusCodes.failure, 'This is a folder.');
  if (existing && has(openFlags.exclusive))
    throw new Refusal(statusCodes.failure, `${showPath(path)} is there already.`);
  if (!existing && !has(openFlags.create))
    throw new Refusal(statusCodes.noSuchFile, `There is no file ${showPath(path)}.`);
  const upload = await openUpload({
    folders: drop.folders,
    path,
    existing,
    truncates: has(openFlags.truncate),
    appends: has(openFlags.append),
    knownSize,
    heldBudgets,
    onEnd: (kind, sizeBytes, why) => context.onUploadEnd(path, kind, sizeBytes, why),
  });
  return [writeHandle(id, handles.add(upload))];
};

/** The answer to the CLOSE of an upload is the acknowledgement: it has arrived, and is on disk. */
export const close: Answer<'close'> = async ({ handles }, { id, handle: name }) => {
  const handle = handles.get(name);
  handles.remove(name);
  if (handle.kind !== 'upload') {
    await handle.close();
    return [writeStatus(id, statusCodes.ok, 'Closed.')];
  }
  const answers = answersTo(handle.failHeld());
  try {
    await handle.finish();
  } catch (error) {
    const status = statusOfError(error);
    if (status === null && answers.length === 0) throw error;
    const { code, message } = status ?? { code: statusCodes.failure, message: 'It could not be kept.' };
    return [...answers, writeStatus(id, code, message)];
  }
  return [writeStatus(id, statusCodes.ok, 'Received, and on disk for good.')];
};

export const write: Answer<'write'> = async ({ handles }, { handle, ...piece }) =>
  answersTo(await handles.getUpload(handle).write(piece));

/** Of an internal error, which the log has by the CLOSE, the client is given no more than that it happened. */
export function answersTo(settled: readonly SettledWrite[]): readonly Buffer[] {
  return settled.map(({ id, error }) => {
    if (error === null) return writeStatus(id, statusCodes.ok, 'Written.');
    const { code, message } = statusOfError(error) ?? {
      code: statusCodes.failure,
      message: 'It could not be written.',
    };
    return writeStatus(id, code, message);
  });
}

export const read: Answer<'read'> = async ({ handles }, { id, handle, offsetBytes, lengthBytes }) => {
  const data = await handles
    .getDownload(handle)
    .read(offsetBytes, Math.min(Math.max(lengthBytes, 1), maxDataBytes));
  return [data === null ? writeStatus(id, statusCodes.eof, 'That is all.') : writeData(id, data)];
};

export const fstat: Answer<'fstat'> = async ({ handles, knownSizes, clock }, { id, handle: name }) => {
  const handle = handles.get(name);
  if (handle.kind === 'download') return [writeAttributes(id, handle.entry)];
  const last = handle.path.at(-1) ?? '/';
  const modifiedMs = clock();
  if (handle.kind === 'folder')
    return [writeAttributes(id, { name: last, kind: 'folder', sizeBytes: 0, modifiedMs })];
  const entry: DropEntry = { name: last, kind: 'file', sizeBytes: handle.sizeBytes, modifiedMs };
  knownSizes.add(handle.path, handle.sizeBytes);
  return [...answersTo(handle.failHeld()), writeAttributes(id, entry)];
};

export const fsetstat: Answer<'fsetstat'> = async ({ handles }, { id, handle: name, attributes }) => {
  const handle = handles.get(name);
  const sizeBytes =
    handle.kind === 'upload' ? handle.sizeBytes : handle.kind === 'download' ? handle.entry.sizeBytes : 0;
  return [accept(id, attributes, sizeBytes)];
};

export const fsync: Answer<'fsync'> = async ({ handles }, { id, handle: name }) => {
  const upload = handles.getUpload(name);
  const answers = answersTo(upload.failHeld());
  await upload.sync();
  return [...answers, writeStatus(id, statusCodes.ok, 'On disk.')];
};

export const fstatvfs: Answer<'fstatvfs'> = async (context: RequestContext, { id, handle }) => {
  context.handles.get(handle);
  return [await showDiskSpace(context, id)];
};

export const limits: Answer<'limits'> = async ({ limits: { maxHandles } }, { id }) => [
  writeLimits(id, { maxPacketBytes, maxDataBytes, maxHandles }),
];
