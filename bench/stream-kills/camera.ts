import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RtspServer, startRtspServer } from '#server/streams/fixtures/rtsp-server.js';
import { renderFilm } from '#server/streams/videos/fixtures/render-film.js';

const fps = 10;
const sign = {
  path: fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url)),
  crop: { left: 305, top: 55, width: 190, height: 190 },
  heightPx: 150,
};

export interface SignCamera {
  readonly address: string;
  /** Kills its server, and starts another at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A camera (RTSP, H.264, a key frame a second) through whose picture a stop sign passes every five seconds. */
export async function startSignCamera(): Promise<SignCamera> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-camera-'));
  await renderFilm(join(dir, 'frame%03d.jpg'), {
    ...{ width: 640, height: 360, fps, seconds: 5 },
    images: [{ ...sign, from: [0, 100], to: [490, 100], fromSeconds: 0, toSeconds: 3 }],
    codecArgs: ['-start_number', '0', '-q:v', '3'],
  });
  const pipeline = [
    `multifilesrc location=${dir}/frame%03d.jpg loop=true caps=image/jpeg,framerate=${fps}/1 ! jpegdec ! videoconvert`,
    'identity sync=true',
    `x264enc tune=zerolatency speed-preset=ultrafast key-int-max=${fps} ! rtph264pay name=pay0 pt=96`,
  ].join(' ! ');
  let server: RtspServer = await startRtspServer({ pipeline });
  const { port } = server;
  return {
    address: `rtsp://127.0.0.1:${port}/cam`,
    async restart() {
      await server.stop();
      server = await startRtspServer({ port, pipeline });
    },
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
