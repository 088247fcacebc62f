const [soi, eoi, sos] = [0xd8, 0xd9, 0xda];
const imageStart = Buffer.from([0xff, soi, 0xff]);
const imageEnd = Buffer.from([0xff, eoi]);
const noBytes = Buffer.alloc(0);

/** Finds JPEG images in what a camera sends, whatever stands between them. */
export interface JpegSplitter {
  /** Images that are complete now, each by itself. */
  push(chunk: Buffer): Buffer[];
  /** Bytes since the end of the last image in which none began. */
  readonly strayBytes: number;
}

/**
 * Cameras disagree on boundaries, types and lengths of the parts of motion JPEG, so that images are found by their markers alone
 * (ITU T.81, annex B). One without an end ends where the next begins.
 * @param maxBytes of one image; a longer one is left out
 */
export function createJpegSplitter(maxBytes: number): JpegSplitter {
  /** From the beginning of an image, or the last bytes before one. It may be larger than what is in it. */
  let held: Buffer = noBytes;
  let heldBytes = 0;
  /** In it: what was looked at. */
  let position = 0;
  let state: 'outside' | 'segments' | 'scan' = 'outside';
  let strayBytes = 0;

  const append = (chunk: Buffer): void => {
    if (heldBytes + chunk.length > held.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * held.length, heldBytes + chunk.length));
      held.copy(larger, 0, 0, heldBytes);
      held = larger;
    }
    chunk.copy(held, heldBytes);
    heldBytes += chunk.length;
  };
  const drop = (bytes: number): void => {
    held.copyWithin(0, bytes, heldBytes);
    heldBytes -= bytes;
    position = 0;
    state = 'outside';
  };
  /** Goes on behind the beginning of an image that is none, or is too long. */
  const giveUp = (): true => {
    drop(2);
    return true;
  };

  const findStart = (): boolean => {
    const at = held.subarray(0, heldBytes).indexOf(imageStart);
    const skipped = at < 0 ? Math.max(0, heldBytes - 2) : at;
    strayBytes += skipped;
    drop(skipped);
    if (at < 0) return false;
    [state, position, strayBytes] = ['segments', 2, 0];
    return true;
  };
  /** False where more has to come. */
  const readSegment = (): boolean => {
    if (position + 4 > heldBytes) return false;
    const marker = held[position + 1] ?? 0;
    if (held[position] !== 0xff || marker === 0 || marker === soi || marker === eoi) return giveUp();
    if (marker === 0xff) {
      position += 1;
      return true;
    }
    const length = held.readUInt16BE(position + 2);
    if (length < 2) return giveUp();
    position += 2 + length;
    if (marker === sos) state = 'scan';
    return true;
  };
  const readScan = (images: Buffer[]): boolean => {
    const at = position >= heldBytes ? -1 : held.subarray(0, heldBytes).indexOf(0xff, position);
    if (at < 0 || at + 1 >= heldBytes) {
      if (position < heldBytes) position = at < 0 ? heldBytes : at;
      return false;
    }
    const marker = held[at + 1] ?? 0;
    if (marker === eoi || marker === soi) {
      images.push(Buffer.concat([held.subarray(0, at), imageEnd]));
      drop(marker === eoi ? at + 2 : at);
    } else if (marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7)) {
      // Between the scans of a progressive image.
      [state, position] = ['segments', at];
    } else position = at + (marker === 0xff ? 1 : 2);
    return true;
  };

  return {
    push(chunk) {
      append(chunk);
      const images: Buffer[] = [];
      for (let goesOn = true; goesOn; ) {
        if (state === 'outside') goesOn = findStart();
        else if (state === 'segments') goesOn = readSegment();
        else goesOn = readScan(images);
        if (!goesOn && state !== 'outside' && heldBytes > maxBytes) goesOn = giveUp();
      }
      return images;
    },
    get strayBytes() {
      return strayBytes;
    },
  };
}
