import { type Clock, systemClock } from '../../core/clock.js';
import { PacketReader } from './ts-packets.js';

interface ClipRingOptions {
  /** What is kept of the time before a clip; 5 s unless given. The clip begins with the key frame before it. */
  readonly preMs?: number;
  /** Of what is kept, and of what one clip may be behind its reader; 32 MiB unless given. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

/** A recording that has begun. */
export interface Clip {
  /** When its first key frame arrived, in milliseconds since 1970; the present time when there is none yet. */
  readonly startedAtMs: number;
  /** MPEG-TS, from a key frame on, until `end` and everything before it is read. To be read once. */
  read(): AsyncIterable<Buffer>;
  /** What arrives from now on is no part of it. */
  end(): void;
  /** Whether something is missing: its reader was too slow, or the source was interrupted. */
  readonly isCut: boolean;
}

export type ClipRing = ReturnType<typeof createClipRing>;

/** From one key frame to the next. */
interface Group {
  readonly startedAtMs: number;
  readonly chunks: Buffer[];
  bytes: number;
  next: Group | null;
}

const noBytes = Buffer.alloc(0);

/** Keeps the last seconds of a stream as it came, so that a clip can begin before what it is about. */
export function createClipRing(options: ClipRingOptions = {}) {
  const { preMs = 5000, maxBytes = 32 * 1024 * 1024, clock = systemClock } = options;
  let packets = new PacketReader();
  /** Linked, since a hostile source makes every packet a key frame: there may be as many groups as packets. */
  let first: Group | null = null;
  let last: Group | null = null;
  let programs: Buffer = noBytes;
  let streams: Buffer = noBytes;
  let bytes = 0;
  const open = new Set<OpenClip>();

  const clear = () => {
    first = null;
    last = null;
    bytes = 0;
  };
  const forget = () => {
    const nowMs = clock();
    // The second one began early enough, so the first is not needed.
    while (first?.next && (first.next.startedAtMs <= nowMs - preMs || bytes > maxBytes)) {
      bytes -= first.bytes;
      first = first.next;
    }
    // A single group is too large; the next key frame begins another.
    if (bytes > maxBytes) clear();
  };

  return {
    /** Bytes kept for clips to come. */
    get bytes(): number {
      return bytes;
    },
    /** What ffmpeg copies. */
    push(chunk: Buffer) {
      packets.push(chunk, (run, kind) => {
        if (kind === 'programs') programs = Buffer.from(run);
        else if (kind === 'streams') streams = Buffer.from(run);
        if (kind === 'key') {
          const group: Group = { startedAtMs: clock(), chunks: [], bytes: 0, next: null };
          if (last) last.next = group;
          first ??= group;
          last = group;
          for (const clip of open) clip.begin(Buffer.concat([programs, streams]));
        }
        for (const clip of open) clip.add(run);
        if (last === null) return;
        last.chunks.push(run);
        last.bytes += run.length;
        bytes += run.length;
      });
      forget();
    },
    /** The source begins anew: what is kept does not continue, and open clips end. */
    reset() {
      packets = new PacketReader();
      clear();
      for (const clip of open) clip.cut();
    },
    startClip(): Clip {
      const chunks: Buffer[] = [];
      for (let group = first; group; group = group.next) for (const chunk of group.chunks) chunks.push(chunk);
      const startedAtMs = first?.startedAtMs ?? clock();
      const clip = new OpenClip(startedAtMs, maxBytes, () => open.delete(clip));
      if (chunks.length > 0) clip.begin(Buffer.concat([programs, streams]));
      // What is kept already is no delay of the reader.
      clip.addKept(chunks);
      open.add(clip);
      return clip;
    },
  };
}

class OpenClip implements Clip {
  #chunks: Buffer[] = [];
  /** That arrived after the start and are not read yet. */
  #behind = 0;
  #hasBegun = false;
  #hasEnded = false;
  #wake: (() => void) | null = null;
  isCut = false;

  constructor(
    readonly startedAtMs: number,
    readonly maxBehind: number,
    readonly onEnd: () => void,
  ) {}

  /** At a key frame; what comes before the first is left out. */
  begin(head: Buffer): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#chunks.push(head);
  }

  addKept(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.#chunks.push(chunk);
  }

  add(chunk: Buffer): void {
    if (!this.#hasBegun || this.#hasEnded) return;
    this.#behind += chunk.length;
    if (this.#behind > this.maxBehind) this.cut();
    else this.#chunks.push(chunk);
    this.#wake?.();
  }

  cut(): void {
    if (this.#hasEnded) return;
    this.isCut = true;
    this.end();
  }

  end(): void {
    this.#hasEnded = true;
    this.onEnd();
    this.#wake?.();
  }

  async *read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const chunks = this.#chunks;
        this.#chunks = [];
        this.#behind = 0;
        yield* chunks;
        if (this.#chunks.length > 0) continue;
        if (this.#hasEnded) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = null;
      }
    } finally {
      this.end();
    }
  }
}
