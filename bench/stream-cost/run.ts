import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClipRing } from '#server/streams/clips/clip-ring.js';
import { findFfmpeg } from '#server/streams/decoding/find-ffmpeg.js';
import { type KeepDecodingOptions, keepDecoding } from '#server/streams/decoding/keep-decoding.js';
import { startRtspServer } from '#server/streams/fixtures/rtsp-server.js';
import { runFfmpeg } from '#server/streams/fixtures/videos.js';
import { createSource } from '#server/streams/sources/open-source.js';
import { createStreamHosts } from '#server/streams/sources/stream-hosts.js';
import { usageOf } from '../processes.js';
import { formatTable } from '../table.js';

interface Measured {
  readonly framesPerSecond: number;
  /** Of one core. */
  readonly ffmpegShare: number;
  readonly serviceShare: number;
  readonly ffmpegBytes: number;
}

const warmUpSeconds = 5;

/**
 * What one camera of 1280 × 720 pixels and 25 frames a second (H.264, 3 Mbit/s, a key frame every two seconds) costs by RTSP over TCP:
 * CPU of ffmpeg and of the service's process, which relays and takes each frame. Its server is a process of its own, not counted.
 */
export async function runStreamCost({ seconds }: { readonly seconds: number }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-stream-cost-'));
  try {
    const path = join(dir, 'camera.mkv');
    await renderCamera(dir, path, seconds + 3 * warmUpSeconds);
    const ring = createClipRing();
    const ways: readonly (readonly [string, Partial<KeepDecodingOptions>])[] = [
      ['2 a second', { fps: 2 }],
      ['5 a second', { fps: 5 }],
      ['10 a second', { fps: 10 }],
      ['5 a second, and clips', { fps: 5, onCopy: ring.push, onRun: ring.reset }],
      ['key frames alone', { fps: 5, keyFramesOnly: true }],
    ];
    const rows = [
      ['frames', 'a second', 'ffmpeg, % of a core', 'service, % of a core', 'together', 'ffmpeg, MB'],
    ];
    for (const [name, options] of ways) {
      const found = await measure(path, options, seconds);
      rows.push([
        name,
        found.framesPerSecond.toFixed(1),
        percent(found.ffmpegShare),
        percent(found.serviceShare),
        percent(found.ffmpegShare + found.serviceShare),
        (found.ffmpegBytes / 1e6).toFixed(0),
      ]);
    }
    console.log(formatTable(rows));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const percent = (share: number) => (100 * share).toFixed(1);

/** Things that move, and the noise of a camera. */
function renderCamera(dir: string, path: string, seconds: number): Promise<void> {
  const image = 'testsrc2=size=1280x720:rate=25,noise=alls=6:allf=t';
  const rate = ['-b:v', '3M', '-maxrate', '3M', '-bufsize', '3M'];
  return runFfmpeg(dir, [
    ...['-f', 'lavfi', '-i', image, '-t', String(seconds), '-c:v', 'libx264', '-preset', 'veryfast'],
    ...['-profile:v', 'main', '-bf', '0', '-g', '50', ...rate, '-pix_fmt', 'yuv420p', path],
  ]);
}

async function measure(
  path: string,
  options: Partial<KeepDecodingOptions>,
  seconds: number,
): Promise<Measured> {
  const server = await startRtspServer({
    pipeline: `filesrc location=${path} ! matroskademux ! h264parse config-interval=1 ! rtph264pay name=pay0 pt=96`,
  });
  const decoding = keepDecoding({
    source: createSource(
      { kind: 'rtsp', url: `rtsp://127.0.0.1:${server.port}/cam` },
      {
        reach: createStreamHosts({ streamAllowedNetworks: '127.0.0.0/8', openSignUp: false }),
        devices: [],
        videoPath: () => '',
      },
    ),
    ffmpeg: await findFfmpeg('ffmpeg'),
    fps: 5,
    ...options,
  });
  const stop = new AbortController();
  const reading = (async () => {
    while ((await decoding.next(stop.signal)) !== null);
  })().catch(() => undefined);
  try {
    await wait(warmUpSeconds * 1000);
    const before = decoding.stats();
    if (before?.pid === undefined || before.frames === 0) throw new Error('no frames came');
    const ffmpeg = await usageOf(before.pid);
    const own = process.cpuUsage();
    const startedAt = performance.now();
    await wait(seconds * 1000);
    const elapsed = (performance.now() - startedAt) / 1000;
    const spent = process.cpuUsage(own);
    const after = await usageOf(before.pid);
    const frames = (decoding.stats()?.frames ?? 0) - before.frames;
    return {
      framesPerSecond: frames / elapsed,
      ffmpegShare: (after.cpuSeconds - ffmpeg.cpuSeconds) / elapsed,
      serviceShare: (spent.user + spent.system) / 1e6 / elapsed,
      ffmpegBytes: after.residentBytes,
    };
  } finally {
    stop.abort();
    await decoding.close();
    await reading;
    await server.stop();
  }
}
