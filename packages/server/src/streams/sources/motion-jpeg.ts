import { singleImage } from './http-format.js';
import { createJpegSplitter } from './jpeg-splitter.js';
import { StreamFailure } from './stream-source.js';

/** Of one image; more than any camera sends. */
const maxImageBytes = 32 * 1024 * 1024;
const maxStrayBytes = 4 * 1024 * 1024;
/** So long the first image waits for another one to begin, since a snapshot is no stream. */
const secondImageMs = 1000;

export const motionJpegType = 'multipart/x-mixed-replace; boundary=frame';

/**
 * The images of a camera as ffmpeg reads them: with a boundary, a type and a length each, whatever the camera sends between them.
 * Throws `StreamFailure` where there is one image alone, or none.
 */
export async function* writeMotionJpeg(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const splitter = createJpegSplitter(maxImageBytes);
  const chunks = body[Symbol.asyncIterator]();
  let first: Buffer | null = null;
  let count = 0;
  try {
    for (let next = chunks.next(); ; ) {
      const result: IteratorResult<Buffer> | 'late' = first === null ? await next : await orLate(next);
      if (result === 'late') {
        if (first !== null) yield writePart(first);
        first = null;
        continue;
      }
      if (result.done === true) break;
      next = chunks.next();
      next.catch(() => undefined);
      for (const image of splitter.push(result.value)) {
        count += 1;
        if (count === 1) first = image;
        else {
          if (first !== null) yield writePart(first);
          first = null;
          yield writePart(image);
        }
      }
      if (splitter.strayBytes > maxStrayBytes)
        throw new StreamFailure('no-video', 'what the server sends has no JPEG images in it');
    }
  } finally {
    void chunks.return?.().catch(() => undefined);
  }
  if (count === 0) throw new StreamFailure('no-video', 'what the server sends has no JPEG images in it');
  if (count === 1) throw new StreamFailure('no-video', singleImage);
}

function writePart(image: Buffer): Buffer {
  const head = `--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${image.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), image, Buffer.from('\r\n')]);
}

async function orLate<Result>(work: Promise<Result>): Promise<Result | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), secondImageMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
