import { createHash } from 'node:crypto';

/** Six letters or digits. */
const suffixLetters = 6;

/** What a track is called for clients of Frigate: `UNIXTIME.MICROSECONDS-RANDOM`, of its start and its id, always the same. */
export function frigateId(trackId: string, startedAt: number): string {
  const hash = createHash('sha256').update(trackId).digest();
  const micros = String((startedAt % 1000) * 1000 + (hash.readUInt16BE(0) % 1000)).padStart(6, '0');
  const suffix = hash.readUIntBE(2, 6).toString(36).padStart(suffixLetters, '0').slice(-suffixLetters);
  return `${Math.floor(startedAt / 1000)}.${micros}-${suffix}`;
}

/** When a track of this name started, in milliseconds since 1970; null for what is no such name. */
export function startOfFrigateId(id: string): number | null {
  const found = /^([0-9]{1,11})\.([0-9]{3})[0-9]{3}-[0-9a-z]{6}$/.exec(id);
  return found === null ? null : Number(found[1]) * 1000 + Number(found[2]);
}

/** Seconds since 1970, as Frigate has them. */
export function toUnix(ms: number): number {
  return ms / 1000;
}
