import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { type RtspServer, startRtspServer } from '#server/streams/fixtures/rtsp-server.js';

const width = 640;
const height = 360;
const fps = 10;
/** A sign goes through the image, and the road is empty for as long. */
const passingFrames = 30;
const emptyFrames = 20;

export interface SignCamera {
  readonly address: string;
  /** Kills its server, and starts another at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A camera (RTSP, H.264, a key frame a second) through whose picture a stop sign passes every five seconds. */
export async function startSignCamera(): Promise<SignCamera> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-camera-'));
  await drawFrames(dir);
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

async function drawFrames(dir: string): Promise<void> {
  const sample = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
  const sign = await sharp(sample)
    .resize({ height: height * 2 })
    .toBuffer();
  const { width: signWidth = 1 } = await sharp(sign).metadata();
  const cut = Math.min(260, signWidth);
  const patch = await sharp(sign)
    .extract({ left: Math.round((signWidth - cut) / 2), top: 120, width: cut, height: 260 })
    .resize(150, 150)
    .toBuffer();
  for (let index = 0; index < passingFrames + emptyFrames; index += 1) {
    const left = Math.round((index / passingFrames) * (width - 150));
    const road = sharp({ create: { width, height, channels: 3, background: '#7a8a78' } });
    const shown = index < passingFrames ? road.composite([{ input: patch, left, top: 100 }]) : road;
    await shown.jpeg().toFile(join(dir, `frame${String(index).padStart(3, '0')}.jpg`));
  }
}
