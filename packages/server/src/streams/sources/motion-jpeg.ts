import { singleImage } from './http-format.js';
import { createJpegSplitter } from './jpeg-splitter.js';
import { StreamFailure } from './stream-source.js';

/** Size of the largest image, more than any camera sends. */
const maxImageMiB = 32;
/** A stream without a complete image in so many bytes is ended. */
const maxStrayBytes = 4 * 1024 * 1024;
/** The first image is sent after this time, or with the second one: a server that sends a single image has no stream. */
const secondImageMs = 1000;

const noImage = `the server sends no complete JPEG image of at most ${maxImageMiB} MiB; check the address`;

export const motionJpegType = 'multipart/x-mixed-replace; boundary=frame';

/**
 * The images of a camera as ffmpeg reads them: with a boundary, a type and a length each, whatever the camera sends between them.
 * Throws `StreamFailure` where there is one image alone, or none.
 */
export async function* writeMotionJpeg(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const splitter = createJpegSplitter(maxImageMiB * 1024 * 1024);
  const chunks = body[Symbol.asyncIterator]();
  let first: Buffer | null = null;
  let count = 0;
  try {
    for (let next = chunks.next(); ; ) {
      const result: IteratorResult<Buffer> | 'late' = first === null ? await next : await orLate(next);
      if (result === 'late') {
        if (first !== null) yield* partOf(first);
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
          if (first !== null) yield* partOf(first);
          first = null;
          yield* partOf(image);
        }
      }
      if (splitter.strayBytes > maxStrayBytes) throw new StreamFailure('no-video', noImage);
    }
  } finally {
    void chunks.return?.().catch(() => undefined);
  }
  if (count === 0) throw new StreamFailure('no-video', noImage);
  if (count === 1) throw new StreamFailure('no-video', singleImage);
}

/** The image itself is not copied: it may have many megabytes. */
function partOf(image: Buffer): readonly Buffer[] {
  const head = `--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${image.length}\r\n\r\n`;
  return [Buffer.from(head), image, Buffer.from('\r\n')];
}

async function orLate<Result>(work: Promise<Result>): Promise<Result | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), secondImageMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
