import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { sendPaced } from '../scale/paced-load.js';
import { type Service, startService } from '../service.js';
import { writePhotos } from '../speed/images.js';
import { type Request, sendLoad } from '../speed/load.js';
import { formatTable } from '../table.js';

/** Frigate waits so long for an answer unless it is set otherwise. */
const timeoutMs = 100;
const framesPerSecond = 5;
const tried = [1, 4, 8, 12, 16, 20, 24];
/** Pixels in each direction of what Frigate sends: it cuts regions out of frames and reduces them. */
const regionPx = 320;

/**
 * Detection as Frigate asks for it, through the interface of DeepStack: the times of one client, and how many cameras of five frames a
 * second are answered in time.
 * @throws Error when no camera is
 */
export async function runCameras({
  data,
  seconds,
}: {
  readonly data: string;
  readonly seconds: number;
}): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-cameras-'));
  const service = await startService({ LYNCEUS_DATA_DIR: join(dir, 'data') });
  try {
    const key = await makeKey(service);
    const { paths } = await writePhotos(data, dir);
    const requests = await Promise.all(paths.map(async (path) => detection(key, await toRegion(path))));
    await sendLoad(service.url, requests, { clients: 2, until: (_, ms) => ms > 3000 });
    const alone = await sendLoad(service.url, requests, {
      clients: 1,
      until: (_, ms) => ms > seconds * 1000,
    });
    console.log(
      `one client: ${alone.perSecond.toFixed(1)} a second; p50 ${alone.p50Ms.toFixed(0)} ms, p95 ${alone.p95Ms.toFixed(0)} ms, p99 ${alone.p99Ms.toFixed(0)} ms\n`,
    );
    console.log(await camerasTable(service, requests, seconds));
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function camerasTable(
  service: Service,
  requests: readonly Request[],
  seconds: number,
): Promise<string> {
  const rows = [['cameras', 'frames/s', 'p50 ms', 'p99 ms', `later than ${timeoutMs} ms`, 'failed']];
  for (const cameras of tried) {
    const perSecond = cameras * framesPerSecond;
    const { latenciesMs, failed } = await sendPaced(service.url, requests, { perSecond, seconds });
    const at = (share: number) => latenciesMs[Math.floor(share * latenciesMs.length)] ?? Number.NaN;
    const late = latenciesMs.filter((each) => each > timeoutMs).length;
    const share = (100 * late) / Math.max(1, latenciesMs.length);
    rows.push([
      String(cameras),
      String(perSecond),
      at(0.5).toFixed(0),
      at(0.99).toFixed(0),
      `${share.toFixed(1)} %`,
      String(failed),
    ]);
    if (share > 50) break;
  }
  return formatTable(rows);
}

async function makeKey({ url, key }: Service): Promise<string> {
  const answer = await fetch(`${url}/api/keys`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'cameras', compat: { protocol: 'deepstack', model: 'coco-fast' } }),
  });
  const made: unknown = await answer.json();
  if (answer.status !== 201 || typeof made !== 'object' || made === null || !('key' in made)) {
    throw new Error(`no key: ${answer.status}`);
  }
  return String(made.key);
}

const toRegion = async (path: string) =>
  sharp(await readFile(path))
    .resize(regionPx, regionPx, { fit: 'cover' })
    .jpeg({ quality: 100 })
    .toBuffer();

/** As Python's requests sends it: fields first. */
function detection(key: string, jpeg: Buffer): Request {
  const boundary = 'lynceus-bench-boundary';
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n`;
  return {
    method: 'POST',
    path: '/v1/vision/detection',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(`${part('name="api_key"')}\r\n${key}\r\n${part('name="image"; filename="image"')}\r\n`),
      jpeg,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}
