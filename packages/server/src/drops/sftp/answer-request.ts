import * as files from './file-requests.js';
import * as folders from './folder-requests.js';
import * as paths from './path-requests.js';
import { statusCodes } from './protocol.js';
import type { RequestContext } from './request-context.js';
import type { SftpRequest } from './requests.js';
import { writeStatus } from './responses.js';
import { statusOfError } from './status-of-error.js';

/** The session's key no longer opens the drop. */
export class AccessEnded extends Error {
  override readonly name = 'AccessEnded';
}

/** Requests of which a session sends many for one file: a check of the key for each would take longer than they do. */
const unchecked: ReadonlySet<SftpRequest['kind']> = new Set([
  'read',
  'write',
  'readdir',
  'fstat',
  'fsetstat',
  'limits',
  'unsupported',
] as const);

/**
 * Answers one request. What a client caused is a status; `onFailure` gets an internal error, of which the client gets no more than
 * that it happened.
 * Throws `AccessEnded`.
 */
export async function answerRequest(
  context: RequestContext,
  request: SftpRequest,
  onFailure: (error: unknown) => void,
): Promise<readonly Buffer[]> {
  try {
    if (!unchecked.has(request.kind) && !(await context.drop.isOpen()))
      throw new AccessEnded('The API key was revoked, the public key removed, or the drop deleted.');
    return await answer(context, request);
  } catch (error) {
    if (error instanceof AccessEnded) throw error;
    const status = statusOfError(error);
    if (status !== null) return [writeStatus(request.id, status.code, status.message)];
    onFailure(error);
    return [writeStatus(request.id, statusCodes.failure, 'Something went wrong here; try again.')];
  }
}

function answer(context: RequestContext, request: SftpRequest): Promise<readonly Buffer[]> {
  switch (request.kind) {
    case 'open':
      return files.open(context, request);
    case 'close':
      return files.close(context, request);
    case 'read':
      return files.read(context, request);
    case 'write':
      return files.write(context, request);
    case 'fstat':
      return files.fstat(context, request);
    case 'fsetstat':
      return files.fsetstat(context, request);
    case 'fsync':
      return files.fsync(context, request);
    case 'fstatvfs':
      return files.fstatvfs(context, request);
    case 'limits':
      return files.limits(context, request);
    case 'opendir':
      return folders.opendir(context, request);
    case 'readdir':
      return folders.readdir(context, request);
    case 'mkdir':
      return folders.mkdir(context, request);
    case 'rmdir':
      return folders.rmdir(context, request);
    case 'stat':
      return paths.stat(context, request);
    case 'setstat':
      return paths.setstat(context, request);
    case 'realpath':
      return paths.realpath(context, request);
    case 'remove':
      return paths.remove(context, request);
    case 'rename':
      return paths.rename(context, request);
    case 'statvfs':
      return paths.statvfs(context, request);
    case 'unsupported':
      return Promise.resolve([writeStatus(request.id, statusCodes.opUnsupported, request.what)]);
  }
}
