import { type GivenAttributes, type PacketFields, readFields } from './packet-fields.js';
import { requestTypes } from './protocol.js';

/** A request of a client; handles are as we gave them, texts as decoded. */
export type SftpRequest = { readonly id: number } & RequestBody;

type RequestBody =
  | { readonly kind: 'open'; readonly path: string; readonly flags: number }
  | OnHandle<'close' | 'fstat' | 'readdir' | 'fsync' | 'fstatvfs'>
  | {
      readonly kind: 'read';
      readonly handle: string;
      readonly offsetBytes: number;
      readonly lengthBytes: number;
    }
  | { readonly kind: 'write'; readonly handle: string; readonly offsetBytes: number; readonly data: Buffer }
  | { readonly kind: 'fsetstat'; readonly handle: string; readonly attributes: GivenAttributes }
  | { readonly kind: 'setstat'; readonly path: string; readonly attributes: GivenAttributes }
  | OnPath<'stat' | 'opendir' | 'remove' | 'mkdir' | 'rmdir' | 'realpath' | 'statvfs'>
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'limits' }
  /** Links, and whatever is not known. */
  | { readonly kind: 'unsupported'; readonly what: string };

/** One for each kind. */
type OnHandle<Kind> = Kind extends string ? { readonly kind: Kind; readonly handle: string } : never;
type OnPath<Kind> = Kind extends string ? { readonly kind: Kind; readonly path: string } : never;

const types = requestTypes;

/** Reads a packet that is not INIT. Throws `BadPacket`. */
export function parseRequest(packet: Buffer): SftpRequest {
  const fields = readFields(packet);
  const type = fields.byte();
  return { id: fields.uint32(), ...parseBody(type, fields) };
}

function parseBody(type: number, fields: PacketFields): RequestBody {
  switch (type) {
    case types.open:
      return { kind: 'open', path: fields.text(), flags: fields.uint32() };
    case types.close:
      return { kind: 'close', handle: handleOf(fields) };
    case types.read:
      return {
        kind: 'read',
        handle: handleOf(fields),
        offsetBytes: fields.uint64(),
        lengthBytes: fields.uint32(),
      };
    case types.write:
      return {
        kind: 'write',
        handle: handleOf(fields),
        offsetBytes: fields.uint64(),
        data: fields.bytes(),
      };
    case types.lstat:
    case types.stat:
      return { kind: 'stat', path: fields.text() };
    case types.fstat:
      return { kind: 'fstat', handle: handleOf(fields) };
    case types.setstat:
      return { kind: 'setstat', path: fields.text(), attributes: fields.attributes() };
    case types.fsetstat:
      return { kind: 'fsetstat', handle: handleOf(fields), attributes: fields.attributes() };
    case types.opendir:
      return { kind: 'opendir', path: fields.text() };
    case types.readdir:
      return { kind: 'readdir', handle: handleOf(fields) };
    case types.remove:
      return { kind: 'remove', path: fields.text() };
    case types.mkdir:
      return { kind: 'mkdir', path: fields.text() };
    case types.rmdir:
      return { kind: 'rmdir', path: fields.text() };
    case types.realpath:
      return { kind: 'realpath', path: fields.text() };
    case types.rename:
      return { kind: 'rename', from: fields.text(), to: fields.text() };
    case types.readlink:
    case types.symlink:
      return { kind: 'unsupported', what: 'There are no links here.' };
    case types.extended:
      return parseExtended(fields.text(), fields);
    default:
      return { kind: 'unsupported', what: 'This request is not known here.' };
  }
}

function parseExtended(name: string, fields: PacketFields): RequestBody {
  switch (name) {
    case 'posix-rename@openssh.com':
      return { kind: 'rename', from: fields.text(), to: fields.text() };
    case 'lsetstat@openssh.com':
      return { kind: 'setstat', path: fields.text(), attributes: fields.attributes() };
    case 'fsync@openssh.com':
      return { kind: 'fsync', handle: handleOf(fields) };
    case 'statvfs@openssh.com':
      return { kind: 'statvfs', path: fields.text() };
    case 'fstatvfs@openssh.com':
      return { kind: 'fstatvfs', handle: handleOf(fields) };
    case 'limits@openssh.com':
      return { kind: 'limits' };
    default:
      return { kind: 'unsupported', what: 'This extension is not known here.' };
  }
}

function handleOf(fields: PacketFields): string {
  return fields.bytes().toString('latin1');
}
