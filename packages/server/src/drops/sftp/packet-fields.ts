import { decodeWindows1252 } from '../../core/windows-1252.js';
import { attributeFlags } from './protocol.js';

/** A packet that breaks the protocol: the session ends. */
export class BadPacket extends Error {
  override readonly name = 'BadPacket';
}

/** What a client says of a file; left out where it says nothing. Times, owners and permissions are not kept. */
export interface GivenAttributes {
  readonly sizeBytes?: number;
}

export type PacketFields = ReturnType<typeof readFields>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the fields of a packet one after the other. All of it throws `BadPacket`. */
export function readFields(packet: Buffer) {
  let at = 0;
  const take = (count: number): number => {
    if (at + count > packet.length) throw new BadPacket('A packet ends within a field.');
    at += count;
    return at - count;
  };
  const uint32 = (): number => packet.readUInt32BE(take(4));
  const uint64 = (): number => {
    const value = packet.readBigUInt64BE(take(8));
    return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
  };
  const bytes = (): Buffer => {
    const count = uint32();
    const from = take(count);
    return packet.subarray(from, from + count);
  };
  const text = (): string => {
    const read = bytes();
    try {
      return utf8.decode(read);
    } catch {
      return decodeWindows1252(read);
    }
  };
  return {
    byte: (): number => packet[take(1)] ?? 0,
    uint32,
    /** Above 2^53 it is `Infinity`, which no file has. */
    uint64,
    bytes,
    /** A name: UTF-8, else Latin-1, so that the same bytes are always the same name. */
    text,
    attributes(): GivenAttributes {
      const flags = uint32();
      const has = (flag: number): boolean => (flags & flag) !== 0;
      const sizeBytes = has(attributeFlags.size) ? uint64() : undefined;
      if (has(attributeFlags.owner)) take(8);
      if (has(attributeFlags.permissions)) take(4);
      if (has(attributeFlags.times)) take(8);
      if (has(attributeFlags.extended)) {
        for (let count = uint32(); count > 0; count--) {
          bytes();
          bytes();
        }
      }
      return sizeBytes === undefined ? {} : { sizeBytes };
    },
  };
}
