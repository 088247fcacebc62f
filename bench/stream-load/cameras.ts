import { fileURLToPath } from 'node:url';
import { startRtspServer } from '#server/streams/fixtures/rtsp-server.js';
import { runFfmpeg } from '#server/streams/fixtures/videos.js';

/** Cameras by RTSP, of which as many as one likes look at the same scene. */
export interface Cameras {
  readonly address: string;
  stop(): Promise<void>;
}

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
const sceneSeconds = 20;
const fps = 25;

/**
 * Renders what cameras send: 1280 × 720 pixels, 25 frames a second, H.264 of 3 Mbit/s with a key frame every two seconds: a sign that crosses a street, and the
 * noise of a camera.
 * @param seconds for which they send
 */
export async function renderScene(dir: string, seconds: number): Promise<void> {
  const sign = 320;
  const graph = [
    '[0]split[a][b]',
    '[a]crop=300:169:0:165,scale=1280:720[street]',
    `[b]crop=190:190:305:55,scale=${sign}:${sign}[sign]`,
    `[street][sign]overlay=x='mod(t*140,1280+${sign})-${sign}':y=220,noise=alls=6:allf=t`,
  ].join(';');
  await runFfmpeg(dir, [
    ...['-loop', '1', '-framerate', String(fps), '-i', samplePath, '-filter_complex', graph],
    ...[
      '-t',
      String(sceneSeconds),
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-profile:v',
      'main',
      '-bf',
      '0',
    ],
    ...[
      '-g',
      String(2 * fps),
      '-b:v',
      '3M',
      '-maxrate',
      '3M',
      '-bufsize',
      '3M',
      '-pix_fmt',
      'yuv420p',
      'scene.mkv',
    ],
  ]);
  const times = Math.ceil(seconds / sceneSeconds);
  await runFfmpeg(dir, ['-stream_loop', String(times), '-i', 'scene.mkv', '-c', 'copy', 'cameras.mkv']);
}

/** Their server only copies; it is a process of its own. */
export async function startCameras(dir: string): Promise<Cameras> {
  const server = await startRtspServer({
    pipeline: `filesrc location=${dir}/cameras.mkv ! matroskademux ! h264parse config-interval=1 ! rtph264pay name=pay0 pt=96`,
  });
  return { address: `rtsp://127.0.0.1:${server.port}/cam`, stop: () => server.stop() };
}
