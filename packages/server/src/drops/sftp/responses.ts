import type { DropEntry } from '../drop-folders.js';
import { writeLsLine } from '../servers/ls-line.js';
import {
  attributeFlags,
  extensions,
  fileMode,
  folderMode,
  protocolVersion,
  responseTypes,
  type StatusCode,
} from './protocol.js';

/** What clients are shown of a disk (POSIX's statvfs); in bytes. */
export interface DiskSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** The answer to INIT. */
export function writeVersion(): Buffer {
  return packet(
    responseTypes.version,
    uint32(protocolVersion),
    ...Object.entries(extensions).flatMap(([name, version]) => [text(name), text(version)]),
  );
}

/** @param message for people; most clients show it */
export function writeStatus(id: number, code: StatusCode, message: string): Buffer {
  return packet(responseTypes.status, uint32(id), uint32(code), text(toOneLine(message)), text('en'));
}

export function writeHandle(id: number, handle: string): Buffer {
  return packet(responseTypes.handle, uint32(id), text(handle));
}

export function writeData(id: number, data: Uint8Array): Buffer {
  return packet(responseTypes.data, uint32(id), uint32(data.length), data);
}

export function writeAttributes(id: number, entry: DropEntry): Buffer {
  return packet(responseTypes.attrs, uint32(id), attributesOf(entry));
}

export function writeEntries(id: number, entries: readonly DropEntry[], nowMs: number): Buffer {
  return packet(
    responseTypes.name,
    uint32(id),
    uint32(entries.length),
    ...entries.flatMap((entry) => [text(entry.name), text(writeLsLine(entry, nowMs)), attributesOf(entry)]),
  );
}

/** The answer to REALPATH: section 6.11 wants no attributes. */
export function writePath(id: number, path: string): Buffer {
  return packet(responseTypes.name, uint32(id), uint32(1), text(path), text(path), uint32(0));
}

/** limits@openssh.com. */
export function writeLimits(
  id: number,
  limits: { readonly maxPacketBytes: number; readonly maxDataBytes: number; readonly maxHandles: number },
): Buffer {
  const { maxPacketBytes, maxDataBytes, maxHandles } = limits;
  const values = [maxPacketBytes, maxDataBytes, maxDataBytes, maxHandles];
  return packet(responseTypes.extendedReply, uint32(id), ...values.map(uint64));
}

const blockBytes = 4096;
const maxNameBytes = 255;

/** statvfs@openssh.com: eleven numbers; those of inodes are not counted. */
export function writeDiskSpace(id: number, { totalBytes, freeBytes }: DiskSpace): Buffer {
  const [total, free] = [totalBytes, freeBytes].map((bytes) => Math.floor(bytes / blockBytes));
  const values = [blockBytes, blockBytes, total ?? 0, free ?? 0, free ?? 0, 0, 0, 0, 0, 0, maxNameBytes];
  return packet(responseTypes.extendedReply, uint32(id), ...values.map(uint64));
}

function attributesOf({ kind, sizeBytes, modifiedMs }: DropEntry): Buffer {
  const { size, owner, permissions, times } = attributeFlags;
  const seconds = Math.floor(modifiedMs / 1000);
  return Buffer.concat([
    uint32(size | owner | permissions | times),
    uint64(sizeBytes),
    ...[0, 0, kind === 'folder' ? folderMode : fileMode, seconds, seconds].map(uint32),
  ]);
}

function packet(type: number, ...fields: readonly Uint8Array[]): Buffer {
  const lengthBytes = fields.reduce((sum, field) => sum + field.length, 1);
  return Buffer.concat([uint32(lengthBytes), Uint8Array.of(type), ...fields], 4 + lengthBytes);
}

function uint32(value: number): Buffer {
  const field = Buffer.alloc(4);
  field.writeUInt32BE(value);
  return field;
}

function uint64(value: number): Buffer {
  const field = Buffer.alloc(8);
  field.writeBigUInt64BE(BigInt(value));
  return field;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** Messages quote names that clients chose: none may imitate another line. */
function toOneLine(message: string): string {
  return message.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}
