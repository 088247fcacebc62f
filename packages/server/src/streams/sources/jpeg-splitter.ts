const [soi, eoi, sos] = [0xd8, 0xd9, 0xda];
const imageStart = Buffer.from([0xff, soi, 0xff]);
const imageEnd = Buffer.from([0xff, eoi]);
const noBytes = Buffer.alloc(0);

/**
 * Finds JPEG images in what a camera sends, whatever stands between them.
 * Cameras disagree on boundaries, types and lengths of the parts of motion JPEG, so images are found by their markers alone
 * (ITU T.81, annex B). An image without an end marker ends where the next image begins. No byte is examined twice: the search continues
 * behind a header that is broken, and behind all that was held of an image that is too large.
 * @param maxBytes size of the largest image; a larger one is left out
 */
export function createJpegSplitter(maxBytes: number) {
  /**
   * Bytes from `begin` to `end` are held: an image that is not complete yet, or the last two bytes of other content. Complete images are
   * views of earlier bytes, so nothing is overwritten.
   */
  let buffer: Buffer = noBytes;
  let begin = 0;
  let end = 0;
  /** The next byte to examine. It lies behind `end` while the rest of a segment is expected. */
  let position = 0;
  let state: 'outside' | 'segments' | 'scan' = 'outside';
  let strayBytes = 0;

  const append = (chunk: Buffer): void => {
    if (end + chunk.length > buffer.length) {
      const bytes = end - begin + chunk.length;
      // Doubled, so that each byte is copied a few times at most.
      const larger = Buffer.allocUnsafe(Math.max(bytes, Math.min(2 * bytes, maxBytes + chunk.length)));
      buffer.copy(larger, 0, begin, end);
      [buffer, begin, end, position] = [larger, 0, end - begin, position - begin];
    }
    chunk.copy(buffer, end);
    end += chunk.length;
  };
  /** Drops what is held up to `to` and looks for the next image from there. */
  const skipTo = (to: number): true => {
    strayBytes += to - begin;
    [state, begin, position] = ['outside', to, to];
    return true;
  };

  const findStart = (): boolean => {
    const at = buffer.subarray(position, end).indexOf(imageStart);
    skipTo(at < 0 ? Math.max(position, end - imageStart.length + 1) : position + at);
    if (at < 0) return false;
    [state, position] = ['segments', begin + 2];
    return true;
  };
  /** False where more has to come. */
  const readSegment = (): boolean => {
    if (position + 4 > end) return false;
    const marker = buffer[position + 1] ?? 0;
    if (buffer[position] !== 0xff || marker === 0 || marker === soi || marker === eoi) {
      return skipTo(position);
    }
    if (marker === 0xff) {
      position += 1;
      return true;
    }
    const length = buffer.readUInt16BE(position + 2);
    if (length < 2) return skipTo(position);
    position += 2 + length;
    if (marker === sos) state = 'scan';
    return true;
  };
  const readScan = (images: Buffer[]): boolean => {
    while (position < end && buffer[position] !== 0xff) position += 1;
    if (position + 1 >= end) return false;
    const marker = buffer[position + 1] ?? 0;
    if (marker === eoi || marker === soi) {
      const isWhole = marker === eoi;
      const image = buffer.subarray(begin, isWhole ? position + 2 : position);
      images.push(isWhole ? image : Buffer.concat([image, imageEnd]));
      skipTo(begin + image.length);
      strayBytes = 0;
    } else if (marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7)) {
      // Segments also stand between the scans of a progressive image.
      state = 'segments';
    } else position += marker === 0xff ? 1 : 2;
    return true;
  };

  return {
    /** Images that are complete now, each by itself. */
    push(chunk: Buffer): Buffer[] {
      append(chunk);
      const images: Buffer[] = [];
      for (let goesOn = true; goesOn; ) {
        if (state === 'outside') goesOn = findStart();
        else if (state === 'segments') goesOn = readSegment();
        else goesOn = readScan(images);
        if (!goesOn && state !== 'outside' && end - begin > maxBytes) goesOn = skipTo(end);
      }
      return images;
    },
    /** Bytes dropped since the end of the last complete image: other content, and images that are broken or too large. */
    get strayBytes(): number {
      return strayBytes;
    },
  };
}
