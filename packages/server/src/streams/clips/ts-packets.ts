/** Of a packet of MPEG-TS (ISO 13818-1), all have this size. */
export const packetBytes = 188;
const syncByte = 0x47;
const noBytes = Buffer.alloc(0);

type PacketKind =
  /** Which programs there are, and what streams a program has: a player needs both before anything else. */
  | 'programs'
  | 'streams'
  /** The beginning of a image that can be decoded by itself. */
  | 'key'
  | 'other';

/** Cuts what arrives into whole packets and says what each is. Bytes that are no packet are left out. */
export class PacketReader {
  #rest: Buffer = noBytes;
  #streamsPid = -1;

  /** Calls `take` with each packet, and with runs of those that are `other`. */
  push(chunk: Buffer, take: (packets: Buffer, kind: PacketKind) => void): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    let runStart = 0;
    const endRun = (end: number) => {
      if (end > runStart) take(data.subarray(runStart, end), 'other');
    };
    while (at + packetBytes <= data.length) {
      if (data[at] !== syncByte) {
        endRun(at);
        const next = data.indexOf(syncByte, at + 1);
        at = next < 0 ? data.length : next;
        runStart = at;
        continue;
      }
      const kind = this.#kindOf(data, at);
      if (kind !== 'other') {
        endRun(at);
        take(data.subarray(at, at + packetBytes), kind);
        runStart = at + packetBytes;
      }
      at += packetBytes;
    }
    endRun(Math.min(at, data.length));
    this.#rest = at >= data.length ? noBytes : Buffer.from(data.subarray(at));
  }

  #kindOf(data: Buffer, at: number): PacketKind {
    const second = data[at + 1] ?? 0;
    const isStart = (second & 0x40) !== 0;
    const pid = ((second & 0x1f) << 8) | (data[at + 2] ?? 0);
    const adaptation = ((data[at + 3] ?? 0) >> 4) & 0b11;
    if (pid === 0) {
      this.#streamsPid = streamsPid(data.subarray(at, at + packetBytes)) ?? this.#streamsPid;
      return 'programs';
    }
    if (pid === this.#streamsPid) return 'streams';
    const hasFlags = (adaptation & 0b10) !== 0 && (data[at + 4] ?? 0) > 0;
    // random_access_indicator
    return isStart && hasFlags && ((data[at + 5] ?? 0) & 0x40) !== 0 ? 'key' : 'other';
  }
}

/** The PID of the first program's map, by the program association table. */
function streamsPid(packet: Buffer): number | null {
  const adaptation = ((packet[3] ?? 0) >> 4) & 0b11;
  const payload = adaptation === 0b11 ? 5 + (packet[4] ?? 0) : 4;
  // A pointer, then eight bytes of the table's head, then entries of four bytes: number and PID.
  const entry = payload + 1 + (packet[payload] ?? 0) + 8;
  return entry + 4 > packet.length ? null : packet.readUInt16BE(entry + 2) & 0x1fff;
}
