import {
  firstDirectoryAt,
  nextDirectoryAt,
  openTiff,
  readDirectory,
  type TiffDirectory,
} from './tiff-directory.js';

const tags = { compression: 259, photometric: 262, subDirectories: 330, dngVersion: 50706 } as const;
/** A mosaic of a sensor (colour filter array), and what was computed from one (linear raw). */
const rawPhotometric = new Set([32803, 34892]);
/** Of Sony, Nikon, Samsung, Kodak and Pentax. */
const rawCompressions = new Set([32767, 32769, 32770, 32772, 34713, 65000, 65535]);
/** Start of a CR2: its directory begins at byte 16, behind Canon's mark. Others write pixels there, which may be any bytes. */
const canonHeader = 'II*\0\x10\0\0\0CR\x02\0';
const maxEntries = 400;
const maxDirectories = 32;

/**
 * Whether a TIFF is a raw file of a camera (DNG, CR2, NEF, ARW, PEF, SRW, …), by its structure: its first image is a small
 * preview then, and the photograph is data of a sensor in another directory. It needs the whole file.
 */
export function isRawTiff(bytes: Uint8Array): boolean {
  const file = openTiff(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (file.bytes.toString('latin1', 0, canonHeader.length) === canonHeader) return true;
  const waiting = [firstDirectoryAt(file)];
  const seen = new Set<number>();
  for (let at = waiting.shift(); at !== undefined && seen.size < maxDirectories; at = waiting.shift()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const directory = readDirectory(file, at, maxEntries);
    if (!directory) continue;
    if (isRawDirectory(directory)) return true;
    waiting.push(...(directory.entries.get(tags.subDirectories)?.numbers ?? []));
    const next = nextDirectoryAt(file, directory);
    if (next !== undefined) waiting.push(next);
  }
  return false;
}

function isRawDirectory({ entries }: TiffDirectory): boolean {
  const first = (tag: number) => entries.get(tag)?.numbers[0] ?? 0;
  return (
    entries.has(tags.dngVersion) ||
    rawPhotometric.has(first(tags.photometric)) ||
    rawCompressions.has(first(tags.compression))
  );
}
