import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sendMjpeg, startHttpCamera } from '#server/streams/fixtures/http-camera.js';
import { runFfmpeg } from '#server/streams/fixtures/videos.js';

/** A camera of motion JPEG that looks at a street which a stop sign crosses, again and again. */
export interface SceneCamera {
  readonly address: string;
  /** Viewers that are connected. */
  viewers(): number;
  stop(): Promise<void>;
}

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
const fps = 10;
/** The sign comes, crosses and is gone. */
const seconds = 9;
const sign = 220;

/** 640 × 360 pixels, ten frames a second. Throws without ffmpeg. */
export async function startSceneCamera(): Promise<SceneCamera> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-scene-'));
  const graph = [
    '[0]split[a][b]',
    '[a]crop=300:169:0:165,scale=640:360[street]',
    `[b]crop=190:190:305:55,scale=${sign}:${sign}[sign]`,
    `[street][sign]overlay=x='t*120-${sign}':y=90,noise=alls=4:allf=t`,
  ].join(';');
  const input = ['-loop', '1', '-framerate', String(fps), '-i', samplePath];
  await runFfmpeg(dir, [
    ...[...input, '-filter_complex', graph, '-t', String(seconds), '-q:v', '5', '%03d.jpg'],
  ]);
  const names = (await readdir(dir)).sort();
  const frames = await Promise.all(names.map((name) => readFile(join(dir, name))));
  await rm(dir, { recursive: true, force: true });
  const camera = await startHttpCamera((_request, response) => sendMjpeg(response, frames, fps));
  return { address: `${camera.url}/video`, viewers: () => camera.counts.open, stop: () => camera.stop() };
}
