import { bounds, refuseAbove } from './bounds.js';

/** A box of the ISO base media file format (ISO/IEC 14496-12). */
export interface Box {
  readonly type: string;
  /** Where its header begins, its content, and its end. */
  readonly from: number;
  readonly contentAt: number;
  readonly to: number;
  readonly children: readonly Box[];
}

/** Containers of an image file, with the bytes before their first child; `iinf` and `iref` differ by version. */
const containers: Readonly<Record<string, (version: number) => number>> = {
  meta: () => 4,
  iprp: () => 0,
  ipco: () => 0,
  dinf: () => 0,
  grpl: () => 0,
  iinf: (version) => (version === 0 ? 6 : 8),
  iref: () => 4,
};

/** All boxes of a file; those of a film (`moov`) are left out. Refuses more than any image has. */
export function readBoxes(bytes: Buffer): Box[] {
  let count = 0;
  const read = (start: number, end: number, depth: number): Box[] => {
    if (depth > bounds.isoDepth) throw refuseAbove('AVIF or HEIC', 'levels of boxes', bounds.isoDepth);
    const boxes: Box[] = [];
    let at = start;
    while (at + 8 <= end) {
      count += 1;
      if (count > bounds.isoBoxes) throw refuseAbove('AVIF or HEIC', 'boxes', bounds.isoBoxes);
      const short = bytes.readUInt32BE(at);
      const isLong = short === 1 && at + 16 <= end;
      const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? end - at : short;
      const contentAt = at + (isLong ? 16 : 8);
      if (length < contentAt - at) break;
      const type = bytes.toString('latin1', at + 4, at + 8);
      const to = Math.min(end, at + length);
      const skipped = Object.hasOwn(containers, type) ? containers[type]?.(bytes[contentAt] ?? 0) : undefined;
      const children = skipped === undefined ? [] : read(contentAt + skipped, to, depth + 1);
      boxes.push({ type, from: at, contentAt, to, children });
      at += length;
    }
    return boxes;
  };
  return read(0, bytes.length, 0);
}
