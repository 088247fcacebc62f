import type { Settings } from '../../core/settings.js';
import { type KeepCopyingOptions, keepCopying } from '../clips/keep-copying.js';
import type { Ffmpeg } from '../decoding/find-ffmpeg.js';
import { keepDecoding, type StreamState } from '../decoding/keep-decoding.js';
import type { VideoInfo } from '../decoding/log-lines.js';
import type { WholeSource } from '../source-rows.js';
import { createSource, type SourceDeps } from '../sources/open-source.js';
import type { SourceSettings } from '../sources/parse-source.js';
import type { ReachStreamHost } from '../sources/stream-hosts.js';
import type { StreamSource } from '../sources/stream-source.js';
import type { StreamSettings } from '../stream-settings.js';
import type { StreamForRunning } from '../streams.js';
import type { VideoFiles } from '../video-files.js';
import { loopVideo } from './loop-video.js';

export interface OpenFramesDeps {
  readonly ffmpeg: Ffmpeg;
  readonly reach: ReachStreamHost;
  readonly videoFiles: VideoFiles;
  readonly settings: Pick<Settings, 'streamDevices' | 'streamDecoderMaxBytes'>;
  readonly clock: () => number;
}

/** Of ffmpeg: behind the inference processes. */
const niceness = 15;
/** Its multiples, without their whole part, spread evenly however many there are. */
const goldenRatio = 0.618034;

interface StreamSourceDeps extends Pick<OpenFramesDeps, 'reach' | 'videoFiles'> {
  readonly settings: Pick<Settings, 'streamDevices'>;
}

/** Takes what a camera sends besides the frames that are decoded: for clips. */
interface CopyTaker {
  push(chunk: Buffer): void;
  reset(): void;
  setCodec(codec: string): void;
}

interface FrameListeners {
  readonly onState: (state: StreamState) => void;
  /** The decoder of frames is started once more. */
  readonly onRestart: () => void;
}

/**
 * Decodes frames of a stream, of its smaller source where it has one, and copies its main source where clips are wanted. Throws
 * `StreamFailure` and ServiceErrors for settings that cannot work.
 */
export function openFrames(
  deps: OpenFramesDeps,
  stream: Pick<StreamForRunning, 'id' | 'accountId' | 'settings' | 'openSource'>,
  copies: CopyTaker | null,
  { onState, onRestart }: FrameListeners,
) {
  const { ffmpeg, settings: service, clock } = deps;
  const { fps, keyFramesOnly, maxWidth } = stream.settings;
  const whole = stream.openSource();
  const secrets = secretsOf(whole);
  const main = openStreamSource(deps, stream, whole.main);
  const maxMemoryBytes = service.streamDecoderMaxBytes;
  const onVideo = ({ codec }: VideoInfo) => copies?.setCodec(codec);
  const copying: Pick<KeepCopyingOptions, 'onCopy' | 'onRun' | 'onVideo'> | null = copies && {
    onCopy: (chunk) => copies.push(chunk),
    onRun: () => copies.reset(),
    onVideo,
  };
  let hasRun = false;
  const decoder = keepDecoding({
    source: whole.substream === null ? main : openStreamSource(deps, stream, whole.substream),
    limits: { maxMemoryBytes, niceness },
    phase: (stream.id * goldenRatio) % 1,
    ...{ ffmpeg, fps, keyFramesOnly, maxWidth, secrets, clock, onState },
    ...(whole.substream === null && copying),
    onRun() {
      if (hasRun) onRestart();
      hasRun = true;
      if (whole.substream === null) copying?.onRun?.();
    },
  });
  const copier =
    whole.substream !== null && copying
      ? keepCopying({ source: main, ffmpeg, maxMemoryBytes, secrets, clock, ...copying })
      : null;
  return {
    decoder,
    async close() {
      await Promise.all([decoder.close(), copier?.close()]);
    },
  };
}

/** One source of a stream. Throws `StreamFailure` `settings`. */
export function openStreamSource(
  { reach, videoFiles, settings: { streamDevices } }: StreamSourceDeps,
  {
    accountId,
    settings: { maxWidth },
  }: { readonly accountId: number; readonly settings: Pick<StreamSettings, 'maxWidth'> },
  source: SourceSettings,
): StreamSource {
  if (source.kind === 'video') return loopVideo(videoFiles, accountId, Number(source.videoId));
  const devices = streamDevices.split(',').map((path) => path.trim());
  const deps: SourceDeps = { reach, devices, videoPath: String, preferredWidth: maxWidth };
  return createSource(source, deps);
}

function secretsOf({ main, substream }: WholeSource): string[] {
  return [main, substream].flatMap((source) =>
    source && 'password' in source && source.password !== undefined ? [source.password] : [],
  );
}
