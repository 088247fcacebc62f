import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { upload } from '../support/sample.js';
import { film, renderFilm } from './film.js';
import { type LiveFilm, startLiveFilm } from './live-film.js';
import { decodersOf, isRunning, useStreams, waitFor } from './use-streams.js';

const run = promisify(execFile);
const isReady = haveProgram('ffmpeg', ['-version'], 'ffmpeg') && (await haveDefaultModels());
const settings = {
  LYNCEUS_INFERENCE_PROCESSES: '1',
  LYNCEUS_DEFAULT_DETECTOR: 'coco-fast',
  LYNCEUS_STREAM_ALLOWED_NETWORKS: '127.0.0.0/8',
};

/** Enough for one sign, and for several cameras on two cores. */
const rarely = { fps: 2 };

let dir: string;
let live: LiveFilm;
beforeAll(async () => {
  if (!isReady) return;
  dir = await mkdtemp(join(tmpdir(), 'lynceus-streams-'));
  live = await startLiveFilm(await renderFilm(dir));
});
afterAll(async () => {
  await live?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

describe.skipIf(!isReady)('a camera before which a sign passes', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(settings);
  });
  afterAll(() => service.stop());

  test('has an event when it comes and one when it is gone, a snapshot that shows it, and a clip', async () => {
    const streams = useStreams(service);
    await streams.add(live.address, { parts: ['objects', 'texts'], clips: true, clip_seconds_after: 1 });
    const clipped = await waitFor(async () => (await streams.events()).find((event) => event.has_clip));
    const events = (await streams.events()).filter(({ track_id }) => track_id === clipped.track_id);
    expect(events[0]).toMatchObject({ kind: 'start', label: 'stop sign', person: null, has_snapshot: true });
    expect(events.filter(({ kind }) => kind === 'start' || kind === 'end').map(({ kind }) => kind)).toEqual([
      'start',
      'end',
    ]);
    const seqs = (await streams.events()).map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);

    const track = `/api/stream-tracks/${clipped.track_id}`;
    const snapshot = await streams.bytes(`${track}/snapshot.jpg`);
    expect(await sharp(snapshot).metadata()).toMatchObject({
      format: 'jpeg',
      width: film.width,
      height: film.height,
    });
    const found = await (
      await fetch(`${service.url}/predict/object_detection/?model_id=coco-fast&apikey=${service.key}`, {
        method: 'POST',
        body: upload(snapshot),
      })
    ).json();
    expect(JSON.stringify(found)).toContain('stop sign');
    const cropped = await sharp(await streams.bytes(`${track}/snapshot.jpg?crop=true`)).metadata();
    expect(cropped.width).toBeLessThan(film.width);

    const clip = join(dir, 'clip.mp4');
    await writeFile(clip, await streams.bytes(`${track}/clip.mp4`));
    const { stdout } = await run('ffprobe', [
      ...[
        '-v',
        'error',
        '-select_streams',
        'v:0',
        '-show_entries',
        'stream=codec_name,width:format=duration',
      ],
      ...['-of', 'json', clip],
    ]);
    const probed = JSON.parse(stdout);
    expect(probed.streams[0]).toMatchObject({ codec_name: 'h264', width: film.width });
    // From before it came until after it was gone.
    expect(Number(probed.format.duration)).toBeGreaterThan(film.signUntil - film.signFrom);

    // On a busy machine an image is read amid the sign's coming too, where it is cut.
    const read = await waitFor(async () => (await streams.events()).find(({ text }) => text === 'STOP'));
    expect(read.kind).toBe('text_read');
  });

  test('is watched as images and as tags of its frames', async () => {
    const streams = useStreams(service);
    const [{ id }] = (await streams.json('/api/streams')).data;
    const latest = await streams.bytes(`/api/streams/${id}/latest.jpg?boxes=true&max_side=320`);
    expect(await sharp(latest).metadata()).toMatchObject({ format: 'jpeg', width: 320 });
    const view = await streams.call(`/api/streams/${id}/view.mjpg?fps=5`);
    let text = '';
    for await (const chunk of view.body ?? []) {
      text += Buffer.from(chunk).toString('latin1');
      if (text.split('--lynceus-frame').length > 6) break;
    }
    const [, part = ''] = text.split('--lynceus-frame\r\n');
    const bytes = Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4, -2), 'latin1');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: film.width });
    const tags = await streams.call(`/api/streams/${id}/tags`);
    let told = '';
    for await (const chunk of tags.body ?? []) {
      told += Buffer.from(chunk).toString();
      if (told.includes('"object_title": "stop sign"')) break;
    }
    expect(told).toMatch(/\ndata: \{"status": "ok", .*"stream_id": \d+, "frame_time": "20/);
  });
});

describe.skipIf(!isReady)('a service that is killed', () => {
  test('leaves no ffmpeg, and each event with its files; its open tracks end once, at the next start', async () => {
    const own = {
      ...settings,
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_FIRST_KEY: 'a-key-of-a-service-that-is-killed',
    };
    const key = own.LYNCEUS_FIRST_KEY;
    const first = await startService(own);
    let streams = useStreams({ ...first, key });
    for (let count = 0; count < 2; count++) await streams.add(live.address, rarely);
    const open = await waitFor(async () => {
      const events = await streams.events();
      const ended = events.filter(({ kind }) => kind === 'end').map(({ track_id }) => track_id);
      const started = events.filter(({ kind, track_id }) => kind === 'start' && !ended.includes(track_id));
      return ended.length > 0 && started.length > 0 ? started : null;
    });
    const decoders = decodersOf(first.pid);
    expect(decoders.length).toBeGreaterThanOrEqual(2);
    process.kill(first.pid, 'SIGKILL');
    await waitFor(async () => decoders.every((pid) => !isRunning(pid)), 30);
    await first.stop();

    const next = await startService(own);
    try {
      streams = useStreams({ ...next, key });
      const events = await waitFor(async () => {
        const now = await streams.events();
        const isEnded = (id: string | null) =>
          now.some(({ kind, track_id }) => kind === 'end' && track_id === id);
        return open.every(({ track_id }) => isEnded(track_id)) ? now : null;
      });
      for (const { track_id } of open)
        expect(events.filter((event) => event.kind === 'end' && event.track_id === track_id)).toHaveLength(1);
      for (const { track_id, has_snapshot } of events) {
        if (!has_snapshot) continue;
        const snapshot = await streams.call(`/api/stream-tracks/${track_id}/snapshot.jpg`);
        expect([snapshot.status, (await snapshot.arrayBuffer()).byteLength > 1000]).toEqual([200, true]);
      }
      await waitFor(async () =>
        (await streams.events()).some(
          (event) => event.kind === 'start' && event.seq > (events.at(-1)?.seq ?? 0),
        ),
      );
    } finally {
      await next.stop();
    }
  });

  const postgres = findPostgres();
  test.skipIf(postgres === null)('has its streams taken over by another', async () => {
    if (postgres === null) return;
    const cluster = await startCluster(postgres);
    const key = 'a-key-of-two-services-on-a-database';
    const start = (name: string) =>
      startService({
        ...settings,
        LYNCEUS_DATABASE_URL: cluster.url('postgres'),
        LYNCEUS_JOIN_INSTALLATION: 'true',
        LYNCEUS_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
        LYNCEUS_FIRST_KEY: key,
        LYNCEUS_DATA_DIR: join(dir, name),
      });
    const services: Service[] = [];
    try {
      const first = await start('one');
      services.push(first);
      const second = await start('two');
      services.push(second);
      for (let count = 0; count < 4; count++) await useStreams({ ...first, key }).add(live.address, rarely);
      await waitFor(async () => services.every(({ pid }) => decodersOf(pid).length === 2));
      process.kill(first.pid, 'SIGKILL');
      await waitFor(async () => decodersOf(second.pid).length === 4);
      await waitFor(async () => {
        const { data } = await useStreams({ ...second, key }).json('/api/streams');
        return data.every(
          ({ state }: { readonly state: { readonly state: string } }) => state.state === 'running',
        );
      });
    } finally {
      for (const service of services) await service.stop();
      await cluster.remove();
    }
  });
});
