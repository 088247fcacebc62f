import type { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.js';
import type { Frame, GreyImage, Pace } from './frame.js';
import type { ByteInput } from './frame-pipe.js';
import { type PnmImage, PnmReader } from './pnm-reader.js';

/** What ffmpeg logs of each frame. */
export interface FrameInfo {
  /** Position in the stream, or null when it has none. */
  readonly positionMs: number | null;
  readonly sourceWidth: number;
  readonly sourceHeight: number;
}

interface FrameReaderOptions {
  /** Images in PPM. */
  readonly frames: ByteInput;
  /** The same ones small, in PGM. */
  readonly grey: Readable;
  readonly pace: Pace;
  /** Whether the images of the source may change their size: ffmpeg makes all frames of one size. */
  readonly mayResize: boolean;
  readonly maxPixels: number;
  readonly clock: Clock;
  /** Called with each frame as it is complete, also with one that is dropped afterwards. */
  readonly onFrame: (frame: Frame) => void;
  /** The images are broken, or have changed their size. Nothing is read afterwards. */
  readonly onEnd: (why: 'resized' | 'broken') => void;
}

/** Small images and log lines may come before their frame, but not by many. */
const maxAhead = 256;
const maxGreyPixels = 96 * 96;

/**
 * Joins image, small image and log line of each frame. Two buffers are enough: one is being filled, the other is with the caller.
 * A live frame that nobody asks for in time is overwritten by the next.
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #rgb: PnmReader;
  readonly #grey: PnmReader;
  #free: Uint8Array[] = [];
  #lent: Uint8Array | null = null;
  /** The newest image that is complete, until it is delivered or overwritten. */
  #image: { readonly image: PnmImage; readonly index: number; readonly atMs: number } | null = null;
  #ready: Frame | null = null;
  /** Read, but not looked at as long as a image waits. */
  #left: Uint8Array[] = [];
  #waiting: ((frame: Frame | null) => void) | null = null;
  #isEnded = false;
  #count = 0;
  #greyCount = 0;
  #infoCount = 0;
  readonly #greys = new Map<number, GreyImage>();
  readonly #infos = new Map<number, FrameInfo>();
  #size: FrameInfo | null = null;
  /** Index of the first frame of another size, at which reading ends; null until one is logged. */
  #resizedAt: number | null = null;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    const { maxPixels, frames, grey } = options;
    this.#rgb = new PnmReader({
      channels: 3,
      maxPixels,
      take: (width, height) => this.#takeBuffer(width * height * 3),
    });
    this.#grey = new PnmReader({
      channels: 1,
      maxPixels: maxGreyPixels,
      take: (width, height) => new Uint8Array(width * height),
    });
    frames.start((chunk) => {
      if (this.#left.length > 0) this.#left.push(Uint8Array.from(chunk));
      else this.#guard(() => this.#readFrames(chunk));
    });
    grey.on('data', (chunk: Uint8Array) => this.#guard(() => this.#readGrey(chunk)));
  }

  /** Frames so far, those included that were dropped. */
  get count(): number {
    return this.#count;
  }

  /** What ffmpeg logs of the next frame. */
  pushInfo(info: FrameInfo): void {
    if (this.#isEnded || this.#resizedAt !== null) return;
    this.#size ??= info;
    const isResized =
      this.#size.sourceWidth !== info.sourceWidth || this.#size.sourceHeight !== info.sourceHeight;
    if (isResized && !this.#options.mayResize) {
      // ffmpeg goes on in the first size and bends the image. Its log is ahead of the images: those before this one are still read.
      this.#resizedAt = this.#infoCount;
      if (this.#count > this.#resizedAt) this.#stop('resized');
      return;
    }
    this.#guard(() => {
      this.#infos.set(this.#infoCount, info);
      this.#infoCount += 1;
      if (this.#infos.size > maxAhead) throw new Error('no images follow the log');
      this.#join();
    });
  }

  /** Nothing comes any more; a frame that is complete can still be asked for. */
  finish(): void {
    if (this.#resizedAt !== null && !this.#isEnded) this.#options.onEnd('resized');
    this.#isEnded = true;
    this.#waiting?.(null);
  }

  /** The next frame, or null when there is none any more. One call at a time. Rejects with the signal's reason. */
  async next(signal: AbortSignal): Promise<Frame | null> {
    signal.throwIfAborted();
    if (this.#lent !== null) this.#free.push(this.#lent);
    this.#lent = null;
    if (this.#ready !== null) return this.#lend(this.#ready);
    if (this.#isEnded) return null;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting = null;
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting = (frame) => {
        this.#waiting = null;
        signal.removeEventListener('abort', abort);
        resolve(frame === null ? null : this.#lend(frame));
      };
    });
  }

  #lend(frame: Frame): Frame {
    this.#ready = null;
    this.#image = null;
    this.#lent = frame.pixels;
    this.#guard(() => this.#resume());
    return frame;
  }

  #readFrames(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && !this.#isEnded) {
      if (this.#isHeldUp()) {
        this.#left.unshift(Uint8Array.from(chunk.subarray(at)));
        this.#options.frames.pause();
        return;
      }
      const { next, image } = this.#rgb.read(chunk, at);
      at = next;
      if (image === null) continue;
      if (this.#count === this.#resizedAt) {
        this.#stop('resized');
        return;
      }
      this.#image = { image, index: this.#count, atMs: this.#options.clock() };
      this.#count += 1;
      this.#join();
    }
  }

  #isHeldUp(): boolean {
    return this.#options.pace === 'every-frame' && this.#image !== null;
  }

  #resume(): void {
    while (!this.#isHeldUp()) {
      const chunk = this.#left.shift();
      if (chunk === undefined) break;
      this.#readFrames(chunk);
    }
    if (this.#left.length === 0) this.#options.frames.resume();
  }

  #readGrey(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && !this.#isEnded) {
      const { next, image } = this.#grey.read(chunk, at);
      at = next;
      if (image === null) continue;
      this.#greys.set(this.#greyCount, image);
      this.#greyCount += 1;
      if (this.#greys.size > maxAhead) throw new Error('no images follow the small ones');
      this.#join();
    }
  }

  #join(): void {
    const found = this.#image;
    for (const known of [this.#greys, this.#infos]) {
      for (const index of known.keys()) {
        if (index >= (found?.index ?? this.#count)) break;
        known.delete(index);
      }
    }
    if (found === null || this.#ready !== null) return;
    const motion = this.#greys.get(found.index);
    const info = this.#infos.get(found.index);
    if (motion === undefined || info === undefined) return;
    const { image, index } = found;
    const atMs = this.#options.pace === 'live' ? found.atMs : (info.positionMs ?? 0);
    const { sourceWidth, sourceHeight } = info;
    const frame = { ...image, atMs, motion, index, sourceWidth, sourceHeight };
    this.#ready = frame;
    this.#options.onFrame(frame);
    this.#waiting?.(frame);
  }

  /** A buffer that nobody uses; else the one with the image that waits, which is dropped. */
  #takeBuffer(bytes: number): Uint8Array {
    if (this.#image !== null) this.#free.push(this.#image.image.pixels);
    this.#image = null;
    this.#ready = null;
    const free = this.#free.pop();
    return free?.length === bytes ? free : new Uint8Array(bytes);
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch {
      this.#stop('broken');
    }
  }

  #stop(why: 'resized' | 'broken'): void {
    if (this.#isEnded) return;
    this.#ready = null;
    this.#resizedAt = null;
    this.finish();
    this.#options.onEnd(why);
  }
}
