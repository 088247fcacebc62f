import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { WithKeyLock } from '../../core/keyed-mutex.js';
import type { Spool } from '../../intake/spool.js';
import { type Clip, createClipRing } from '../clips/clip-ring.js';
import { clipCodecs, remuxClip } from '../clips/remux-clip.js';
import type { Ffmpeg } from '../decoding/find-ffmpeg.js';
import type { Media } from '../media.js';
import type { StreamSettings } from '../stream-settings.js';
import type { FollowedTrack } from './event-queue.js';
import type { EventRecorder } from './record-events.js';

interface RecordClipsDeps {
  readonly ffmpeg: Ffmpeg;
  readonly spool: Pick<Spool, 'createFile'>;
  readonly media: Pick<Media, 'write' | 'files'>;
  readonly accountId: number;
  readonly settings: Pick<StreamSettings, 'clipSecondsBefore' | 'clipSecondsAfter' | 'clipMaxSeconds'>;
  readonly recorder: Pick<EventRecorder, 'attachClip'>;
  readonly maxMemoryBytes: number;
  /** Of this service: clips are written one after the other. */
  readonly withWriting: WithKeyLock;
  readonly clock: () => number;
  readonly onFailure: (error: unknown) => void;
}

interface OpenClip {
  readonly clip: Clip;
  timer: NodeJS.Timeout;
}

const remuxTimeoutMs = 30_000;

/** Clips of the tracks of a stream, one each: from before the track began until after it has ended. */
export function createClipRecorder(deps: RecordClipsDeps) {
  const { settings, clock, onFailure } = deps;
  const { clipSecondsBefore, clipSecondsAfter, clipMaxSeconds } = settings;
  const ring = createClipRing({ preMs: clipSecondsBefore * 1000, clock });
  const open = new Map<FollowedTrack, OpenClip>();
  const writing = new Set<Promise<void>>();
  const stopping = new AbortController();
  let codec: string | null = null;

  const endIn = (track: FollowedTrack, clip: Clip, ms: number) =>
    setTimeout(() => {
      open.delete(track);
      clip.end();
    }, ms).unref();

  return {
    /** What ffmpeg copies of the stream. */
    push: (chunk: Buffer) => ring.push(chunk),
    /** What comes next does not continue what came before. */
    reset: () => ring.reset(),
    /** As ffmpeg calls the video of the stream. */
    setCodec(found: string) {
      codec = found;
    },
    begin(track: FollowedTrack) {
      if (codec === null || !clipCodecs.has(codec) || stopping.signal.aborted) return;
      const clip = ring.startClip();
      open.set(track, { clip, timer: endIn(track, clip, clipMaxSeconds * 1000 - clipSecondsBefore * 1000) });
      const kept = keepClip(deps, track, { clip, codec }, stopping.signal)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) onFailure(error);
        })
        .finally(() => writing.delete(kept));
      writing.add(kept);
    },
    end(track: FollowedTrack) {
      const entry = open.get(track);
      if (entry === undefined) return;
      const leftMs = clipMaxSeconds * 1000 - (clock() - entry.clip.startedAtMs);
      clearTimeout(entry.timer);
      entry.timer = endIn(track, entry.clip, Math.max(0, Math.min(clipSecondsAfter * 1000, leftMs)));
    },
    /** Ends all clips now. Resolves when they are kept or given up, at the latest when the signal fires. */
    async close(signal: AbortSignal) {
      for (const { clip, timer } of open.values()) {
        clearTimeout(timer);
        clip.end();
      }
      open.clear();
      const giveUp = () => stopping.abort();
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      await Promise.all(writing);
      signal.removeEventListener('abort', giveUp);
    },
  };
}

/** Gathers a clip in a file, writes it as MP4, and names it in an event of its track. */
async function keepClip(
  { ffmpeg, spool, media, accountId, recorder, maxMemoryBytes, withWriting, clock }: RecordClipsDeps,
  track: FollowedTrack,
  { clip, codec }: { readonly clip: Clip; readonly codec: string },
  signal: AbortSignal,
): Promise<void> {
  const [copied, playable] = [await spool.createFile(), await spool.createFile()];
  try {
    for await (const chunk of clip.read()) await copied.append([chunk]);
    await Promise.all([copied.close(), playable.close()]);
    await withWriting('clips', async () => {
      signal.throwIfAborted();
      const input = createReadStream(copied.path);
      // Where ffmpeg cannot be started nobody reads it, and an error that nobody hears ends the service.
      input.on('error', () => undefined);
      await remuxClip(
        { ffmpeg, input, outputPath: playable.path, codec, maxMemoryBytes, timeoutMs: remuxTimeoutMs },
        signal,
      );
      const { size } = await stat(playable.path);
      playable.reserve(size);
      const owner = { trackId: track.recorded.id };
      const written = await media.write(
        { accountId, kind: 'clip', owner, mediaType: 'video/mp4' },
        createReadStream(playable.path),
      );
      if (!(await recorder.attachClip(track, written, clock()))) await media.files.remove(written.id);
    });
  } finally {
    await Promise.all([copied.dispose(), playable.dispose()]);
  }
}
