import type { ModelRunner } from '@lynceus/engine';
import { toServiceError } from '../core/engine-errors.js';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import { takeSlot } from '../core/take-slot.js';
import type { Spool } from '../intake/spool.js';
import { longAnalysisMs, usualAnalysisMs } from './decoding/ffmpeg-arguments.js';
import { findFfmpeg } from './decoding/find-ffmpeg.js';
import type { Frame } from './decoding/frame.js';
import { openDecoder } from './decoding/open-decoder.js';
import { createFrameFiles } from './frame-files.js';
import { openStreamSource } from './running/open-frames.js';
import type { WholeSource } from './source-rows.js';
import { createStreamHosts } from './sources/stream-hosts.js';
import { mayComeLater, StreamFailure } from './sources/stream-source.js';
import type { VideoFiles } from './video-files.js';

/** What came of it. */
export interface SourceTrial {
  /** Why there is no frame, for the stream's owner; null when there is one. */
  readonly reason: string | null;
  /** Of the frame that the source sent, in pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly jpeg: Uint8Array | null;
}

/**
 * Connects to a source, and to its substream where it has one, and waits for a frame of each. Throws `too_many_requests` while the
 * account tries as many sources as it may, and `service_busy` while too many are tried.
 */
export type TrySource = (accountId: number, source: WholeSource, signal: AbortSignal) => Promise<SourceTrial>;

export interface TrySourceDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly spool: Pick<Spool, 'createFile'>;
  readonly videoFiles: VideoFiles;
  readonly settings: Pick<
    Settings,
    | 'dataDir'
    | 'ffmpegPath'
    | 'streamAllowedNetworks'
    | 'openSignUp'
    | 'streamDevices'
    | 'streamDecoderMaxBytes'
    | 'maxPixels'
  >;
}

/** Of an account, and of all together: each is a process. */
const [maxOfAccount, maxOfAll] = [2, 6];
/** For both streams of a source. */
const timeoutMs = 28_000;
const frameWidthPx = 1280;
const jpegQuality = 85;

export function createTrySource(deps: TrySourceDeps): TrySource {
  const { settings, videoFiles } = deps;
  const { dataDir, ffmpegPath, streamDevices, streamDecoderMaxBytes } = settings;
  const reach = createStreamHosts(settings);
  const ofAll = new Map<'all', number>();
  const byAccount = new Map<number, number>();

  /** A frame of one address; what works on it ends before the frame is overwritten. */
  const withFrame = async <T>(
    accountId: number,
    source: WholeSource['main'],
    signal: AbortSignal,
    work: (frame: Frame) => Promise<T>,
    analysisMs = usualAnalysisMs,
  ): Promise<T> => {
    const stream = { accountId, settings: { maxWidth: frameWidthPx } };
    const decoder = await openDecoder(
      {
        source: openStreamSource({ reach, videoFiles, settings: { streamDevices } }, stream, source),
        ffmpeg: await findFfmpeg(ffmpegPath, [dataDir]),
        limits: { maxMemoryBytes: streamDecoderMaxBytes },
        secrets: 'password' in source && source.password !== undefined ? [source.password] : [],
        ...{ fps: 1, maxWidth: frameWidthPx, pace: 'live', analysisMs },
      },
      signal,
    );
    try {
      const frame = await decoder.next(signal);
      if (frame === null) throw new StreamFailure('no-video', 'the source ended before its first frame');
      return await work(frame);
    } finally {
      await decoder.close();
    }
  };
  /** The same, once more with a longer look where no video came at first. */
  const withLaterFrame: typeof withFrame = async (accountId, source, signal, work) => {
    try {
      return await withFrame(accountId, source, signal, work);
    } catch (error) {
      if (!('url' in source && error instanceof StreamFailure && mayComeLater(error))) throw error;
      return await withFrame(accountId, source, signal, work, longAnalysisMs);
    }
  };

  const tryAll = async (
    accountId: number,
    { main, substream }: WholeSource,
    signal: AbortSignal,
  ): Promise<SourceTrial> => {
    let what = '';
    try {
      const seen = await withLaterFrame(accountId, main, signal, async (frame) => ({
        width: frame.sourceWidth,
        height: frame.sourceHeight,
        jpeg: await encode(deps, accountId, frame, signal),
      }));
      what = 'substream: ';
      if (substream) await withLaterFrame(accountId, substream, signal, async () => undefined);
      return { reason: null, ...seen };
    } catch (error) {
      return { reason: what + explain(error), width: null, height: null, jpeg: null };
    }
  };

  return async (accountId, source, signal) => {
    const leaveAccount = takeSlot(byAccount, accountId, maxOfAccount);
    if (!leaveAccount) {
      throw new ServiceError(
        'too_many_requests',
        `${maxOfAccount} sources of this account are being tried already: wait for one`,
      );
    }
    const leaveAll = takeSlot(ofAll, 'all', maxOfAll);
    try {
      if (!leaveAll)
        throw new ServiceError('service_busy', 'too many sources are being tried; try again shortly');
      const late = AbortSignal.timeout(timeoutMs);
      const trial = await tryAll(accountId, source, AbortSignal.any([signal, late]));
      signal.throwIfAborted();
      return late.aborted && trial.jpeg === null
        ? { ...trial, reason: `no frame came within ${timeoutMs / 1000} seconds` }
        : trial;
    } finally {
      leaveAll?.();
      leaveAccount();
    }
  };
}

async function encode(
  { runner, spool, settings: { maxPixels } }: TrySourceDeps,
  accountId: number,
  frame: Frame,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const files = createFrameFiles(spool, 1);
  try {
    const held = await files.write(frame);
    if (held === null) return null;
    const options = { maxSidePx: frameWidthPx, quality: jpegQuality, marks: [] };
    const { results } = await runner
      .analyse(
        { source: held.source, limits: { maxPixels }, tasks: [{ task: 'draw', options }] },
        { priority: 'interactive', owner: String(accountId), signal },
      )
      .catch((error: unknown) => {
        throw toServiceError(error);
      });
    return results.draw?.jpeg ?? null;
  } finally {
    await files.close();
  }
}

/** For the owner of a stream. Throws what is a fault of ours. */
function explain(error: unknown): string {
  if (error instanceof StreamFailure) return error.message;
  if (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return error.message;
  throw error;
}
