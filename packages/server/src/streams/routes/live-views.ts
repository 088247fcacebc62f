import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamView } from '../previews/previews.js';
import type { DrawnAs, ShownFrame } from '../previews/shown-frame.js';

/** What ends the view of a stream, besides its client. */
export interface ViewLimits {
  /** Fires when the client is gone and when the service stops. */
  readonly signal: AbortSignal;
  /** Whether the credential is good and the stream is there; asked every second. */
  readonly mayGoOn: () => Promise<boolean>;
}

const checkMs = 1000;
/** Whatever is on the way closes a connection on which nothing comes. */
const quietMs = 10_000;

/** Frames of a view, and null at least every second, until it ends. Who takes them slowly misses some. */
async function* followView(
  view: StreamView,
  { signal, mayGoOn }: ViewLimits,
): AsyncGenerator<ShownFrame | null> {
  let checkedMs = performance.now();
  while (!signal.aborted) {
    const frame = await view.next(checkMs);
    if (signal.aborted) return;
    if (performance.now() - checkedMs >= checkMs) {
      checkedMs = performance.now();
      if (!(await mayGoOn())) return;
    }
    yield frame;
  }
}

export const boundary = 'lynceus-frame';

/** Frames as the parts of a multipart/x-mixed-replace body, at most `fps` a second; the last one again when none comes for long. */
export async function* writeMotionJpeg(
  view: StreamView,
  limits: ViewLimits,
  { fps, ...drawnAs }: DrawnAs & { readonly fps: number },
): AsyncGenerator<Uint8Array | string> {
  yield `--${boundary}\r\n`;
  let last: Uint8Array | null = null;
  let sentMs = Number.NEGATIVE_INFINITY;
  for await (const frame of followView(view, limits)) {
    const jpeg: Uint8Array | null = frame && (await frame.toJpeg(drawnAs).catch(() => null));
    if (jpeg === null && performance.now() - sentMs < quietMs) continue;
    last = jpeg ?? last;
    if (last === null) continue;
    sentMs = performance.now();
    yield `content-type: image/jpeg\r\ncontent-length: ${last.byteLength}\r\n\r\n`;
    yield last;
    // Browsers show a part once they see where the next one begins.
    yield `\r\n--${boundary}\r\n`;
    // Its sending took a part of the time.
    const pauseMs = 1000 / fps - (performance.now() - sentMs);
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: limits.signal }).catch(() => undefined);
  }
}

/** Analysed frames as server-sent events (WHATWG HTML, 9.2). */
export async function* writeTagEvents(
  view: StreamView,
  limits: ViewLimits,
  toTags: (frame: ShownFrame & { readonly result: NonNullable<ShownFrame['result']> }) => string,
): AsyncGenerator<string> {
  yield 'retry: 2000\n\n';
  let sentMs = performance.now();
  for await (const frame of followView(view, limits)) {
    const { result } = frame ?? { result: null };
    if (frame !== null && result !== null) yield `data: ${toTags({ ...frame, result })}\n\n`;
    else if (performance.now() - sentMs >= quietMs) yield ': no frame\n\n';
    else continue;
    sentMs = performance.now();
  }
}
