/**
 * Coded frames in the data of an item of AV1 or HEVC, counted up to `most` + 1; 0 for other items. A decoder decodes all of
 * them, also those that are never shown.
 */
export function countFrames(itemType: string | undefined, readData: () => Buffer, most: number): number {
  if (itemType === 'av01') return countAv1(readData(), most);
  return itemType === 'hvc1' || itemType === 'hev1' ? countHevc(readData(), most) : 0;
}

/** Units of type OBU_FRAME_HEADER and OBU_FRAME (AV1 specification, section 5.3). */
function countAv1(data: Buffer, most: number): number {
  let frames = 0;
  let at = 0;
  while (at < data.length && frames <= most) {
    const head = data[at] ?? 0;
    const type = (head >> 3) & 15;
    if (type === 3 || type === 6) frames += 1;
    at += head & 4 ? 2 : 1;
    // Without a size the unit goes to the end.
    if (!(head & 2)) break;
    let length = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = data[at] ?? 0;
      at += 1;
      length += (byte & 0x7f) * 2 ** shift;
      if (!(byte & 0x80)) break;
    }
    at += length;
  }
  return frames;
}

/** Slices that begin a picture (ITU-T H.265, sections 7.3.1 and 7.3.6); each unit has a length of four bytes before it. */
function countHevc(data: Buffer, most: number): number {
  let frames = 0;
  for (let at = 0; at + 7 <= data.length && frames <= most; at += 4 + data.readUInt32BE(at)) {
    const type = ((data[at + 4] ?? 0) >> 1) & 63;
    if (type < 32 && (data[at + 6] ?? 0) & 0x80) frames += 1;
  }
  return frames;
}
