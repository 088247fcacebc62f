import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { samplePath } from '../support/sample.js';

const run = promisify(execFile);

/** A stop sign that comes from the left and leaves to the right, before a street where nothing else moves. */
export const film = {
  width: 640,
  height: 360,
  fps: 15,
  seconds: 12,
  /** The sign is wholly in the image from then on, and until then. */
  signFrom: 3,
  signUntil: 8,
} as const;

/** Renders the film as H.264 with a key frame a second; answers its path. */
export async function renderFilm(dir: string): Promise<string> {
  const { width, height, fps, seconds, signFrom, signUntil } = film;
  const signWidth = 160;
  const speed = (width - signWidth) / (signUntil - signFrom);
  const street = `crop=300:170:0:165,scale=${width}:${height}`;
  const sign = `crop=190:190:305:55,scale=${signWidth}:${signWidth}`;
  const path = join(dir, 'film.mp4');
  await run('ffmpeg', [
    ...[
      '-hide_banner',
      '-loglevel',
      'error',
      '-y',
      '-loop',
      '1',
      '-framerate',
      String(fps),
      '-i',
      samplePath,
    ],
    ...[
      '-filter_complex',
      `[0]split[a][b];[a]${street}[street];[b]${sign}[sign];`.concat(
        `[street][sign]overlay=x='(t-${signFrom})*${speed}':y=90`,
      ),
    ],
    ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'],
    ...['-g', String(fps), '-bf', '0', '-movflags', '+faststart', path],
  ]);
  return path;
}
