import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Detection, EngineError } from '@lynceus/engine';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { faceCalls } from '../../faces/routes/fixtures/face-calls.js';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { multipart } from '../../http/fixtures/bodies.js';
import { facesAt } from '../../http/fixtures/faces-at.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import type { TestService } from '../../http/fixtures/test-service.js';
import { haveFfmpeg, haveRtspServer } from '../fixtures/programs.js';
import { startRtspServer } from '../fixtures/rtsp-server.js';
import { startTestCamera, type TestCamera } from '../fixtures/test-camera.js';
import { makeVideo, runFfmpeg } from '../fixtures/videos.js';
import {
  addStream,
  person,
  removeStreams,
  seeing,
  startStreamService,
  until,
} from './fixtures/stream-service.js';

describe.skipIf(!haveFfmpeg())('a stream that runs', () => {
  let service: TestService;
  let camera: TestCamera;
  beforeAll(async () => {
    [service, camera] = [await startStreamService(), await startTestCamera()];
  });
  afterEach(() => removeStreams(service));
  afterAll(async () => {
    await service.stop();
    await camera.stop();
  });

  test('has a track with its snapshot of each object, from when it comes until it is gone', async () => {
    const stream = await addStream(service, camera);
    await stream.until('running');
    await until(async () =>
      expect((await stream.read()).state).toMatchObject({ width: 640, height: 480, reason: null }),
    );
    expect(await stream.events()).toEqual([]);
    service.runner.script = async () => seeing(person);
    await until(async () => expect(await stream.kinds()).toContain('start'));
    const [start] = await stream.events();
    expect(start).toMatchObject({
      ...{ stream_id: stream.id, label: 'person', width: 640, height: 480, has_snapshot: true },
      ...{ box: { x_min: 60, y_max: 460 }, ended_at: null, person: null },
    });
    service.runner.script = async () => seeing();
    await until(async () => expect((await stream.kinds()).at(-1)).toBe('end'));
    const track = (await callApi(service, `/api/stream-tracks/${start?.['track_id']}`)).json;
    expect(track).toMatchObject({ label: 'person', has_snapshot: true, ended_at: expect.any(String) });
    // Nobody asked for names: no face was looked for, and nothing was recorded.
    expect(new Set(service.runner.seen.flatMap(({ tasks }) => tasks))).toEqual(new Set(['detect', 'draw']));
    expect(new Set(service.runner.seen.map(({ kind, priority }) => `${kind} ${priority}`))).toEqual(
      new Set(['frame stream']),
    );
    expect((await callApi(service, '/api/files')).json.data).toEqual([]);
    expect(await service.callsUsed()).toBe(0);
    expect((await callApi(service, '/api/usage')).json.frames.today).toBeGreaterThan(0);

    await stream.remove();
    await until(() => expect(camera.counts.open).toBe(0));
    await until(async () => expect(await service.filesInSpool()).toEqual([]));
  });

  test('is run with its new settings once they change, and ends its tracks when it is switched off', async () => {
    service.runner.script = async () => seeing(person);
    const stream = await addStream(service, camera);
    await until(async () => expect(await stream.kinds()).toContain('start'));
    await stream.change({ settings: { min_score: 0.95 } });
    await until(async () => expect(await stream.kinds()).toContain('end'));
    await stream.until('running');
    const before = service.runner.seen.length;
    await until(() => expect(service.runner.seen.length).toBeGreaterThan(before + 10));
    expect((await stream.kinds()).filter((kind) => kind === 'start')).toHaveLength(1);
    await stream.change({ settings: { min_score: 0.5 } });
    await until(async () =>
      expect((await stream.kinds()).filter((kind) => kind === 'start')).toHaveLength(2),
    );
    await stream.change({ enabled: false });
    expect(await stream.until('stopped')).toMatchObject({ reason: 'the stream is switched off' });
    await until(() => expect(camera.counts.open).toBe(0));
    expect((await stream.kinds()).filter((kind) => kind === 'end')).toHaveLength(2);
    await stream.remove();
  });

  test('names people where that is switched on, by votes, and nowhere else', async () => {
    const calls = faceCalls(service);
    const personId = await calls.makePerson(await calls.makePerception({ names_recognition: true }), 'Ada');
    await calls.addImage(personId, 0);
    service.runner.script = async () => ({
      ...facesAt(3),
      detect: { calibration: null, detections: [person] },
    });
    const before = service.runner.seen.length;
    const nameless = await addStream(service, camera, { parts: ['objects', 'faces'] });
    const named = await addStream(service, camera, { names_people: true });
    const find = async (kind: string) => (await named.events()).find((event) => event.kind === kind);
    await until(async () => expect(await find('person_recognised')).toBeDefined());
    expect(await find('person_recognised')).toMatchObject({ person: { name: 'Ada' }, has_snapshot: true });
    expect(await find('start')).toMatchObject({ person: null });
    const faces = () => service.runner.seen.slice(before).flatMap(({ options }) => options['faces'] ?? []);
    await until(() =>
      expect(new Set(faces().map((options) => Reflect.get(options, 'embed')))).toEqual(
        new Set([true, false]),
      ),
    );
    expect((await nameless.events()).every(({ person: found }) => found === null)).toBe(true);

    // Her name goes with her, from what runs as well.
    await calls.remove(`/api/people/${personId}`);
    await until(async () => expect(await named.events()).toEqual([]));
    for (const stream of [nameless, named]) await stream.remove();
  });

  test('reports a text on no object once, without a track, and none that the edge of the image cuts', async () => {
    service.runner.script = async () => found;
    const stream = await addStream(service, camera, { parts: ['texts'] });
    await until(async () => expect(await stream.events()).toHaveLength(1));
    const before = service.runner.seen.length;
    await until(() => expect(service.runner.seen.length).toBeGreaterThan(before + 2));
    const events = await stream.events();
    expect(events.map(({ kind, track_id, text }) => [kind, track_id, text])).toEqual([
      ['text_read', null, 'Bäckerei "Öz"'],
    ]);
    expect(new Set(service.runner.seen.slice(before).flatMap(({ tasks }) => tasks))).toEqual(
      new Set(['readText']),
    );
    await stream.remove();
  });

  test('rests outside of its schedule, and says so', async () => {
    const day = (new Date().getUTCDay() + 3) % 7;
    const stream = await addStream(service, camera, {
      schedule: [{ days: [day], from: '08:00', to: '09:00' }],
    });
    expect(await stream.until('resting')).toMatchObject({ reason: 'outside of its schedule' });
    expect(camera.counts.open).toBe(0);
    await stream.change({ settings: { schedule: [] } });
    await stream.until('running');
    await stream.remove();
  });

  test('says why its source gives nothing, and goes on when it does', async () => {
    const gone = await startTestCamera();
    await gone.stop();
    const stream = await addStream(service, gone);
    const { reason } = await stream.until('away');
    expect(reason).toMatch(/127\.0\.0\.1|connect/);
    await stream.change({ source: camera.source });
    await stream.until('running');
    await stream.remove();
  });

  test('goes on after frames that cannot be analysed, with a pause where there are many', async () => {
    const stream = await addStream(service, camera);
    await stream.until('running');
    service.runner.script = async () => {
      throw new EngineError('process-crashed', 'a crash');
    };
    expect((await stream.until('away')).reason).toContain('crashed');
    service.runner.script = async () => seeing(person);
    await stream.until('running');
    await until(async () => expect(await stream.kinds()).toContain('start'));
    await stream.remove();
  });
});

describe.skipIf(!haveRtspServer())('a camera with two streams', () => {
  test('is analysed in the smaller one, and has clips of the other', async () => {
    const service = await startStreamService();
    const server = await startRtspServer();
    const small = await startRtspServer({
      pipeline: [
        'videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=180,framerate=15/1',
        'x264enc tune=zerolatency speed-preset=ultrafast key-int-max=15 ! rtph264pay name=pay0 pt=96',
      ].join(' ! '),
    });
    const addressOf = ({ port }: { readonly port: number }) => `rtsp://127.0.0.1:${port}/cam`;
    const source = { kind: 'rtsp', address: addressOf(server), substream: { address: addressOf(small) } };
    const stream = await addStream(service, { source }, { clips: true, clip_seconds_after: 1 });
    await until(async () => expect((await stream.read()).state).toMatchObject({ width: 320, height: 180 }));
    const seen: Detection = { ...person, box: { xMin: 20, yMin: 20, xMax: 90, yMax: 170 } };
    service.runner.script = async () => seeing(seen);
    await until(async () => expect(await stream.kinds()).toContain('start'));
    service.runner.script = async () => seeing();
    const clipped = await until(async () => {
      const event = (await stream.events()).find(({ has_clip }) => has_clip);
      expect(event).toBeDefined();
      return event;
    });
    const clip = await request(`${service.base}/api/stream-tracks/${clipped?.['track_id']}/clip.mp4`, {
      headers: { 'x-api-key': service.key },
    });
    const bytes = Buffer.from(await clip.body.arrayBuffer());
    const dir = await mkdtemp(join(tmpdir(), 'lynceus-clip-'));
    await writeFile(join(dir, 'clip.mp4'), bytes);
    // Of the larger stream, and whole.
    await runFfmpeg(dir, ['-i', 'clip.mp4', '-frames:v', '1', 'frame.ppm']);
    expect((await readFile(join(dir, 'frame.ppm'))).subarray(0, 11).toString()).toBe('P6\n640 360\n');
    await rm(dir, { recursive: true });
    await service.stop();
    await small.stop();
    await server.stop();
  });
});

describe.skipIf(!haveFfmpeg())('streams of a service', () => {
  test('show an uploaded video again and again, at its own speed', async () => {
    const service = await startStreamService();
    const dir = await mkdtemp(join(tmpdir(), 'lynceus-video-'));
    const content = await readFile(await makeVideo(dir, 'film.mp4', { seconds: 3 }));
    const sent = multipart([{ name: 'file', fileName: 'film.mp4', type: 'video/mp4', content }]);
    const video = await callApi(service, '/api/videos', {
      method: 'POST',
      body: sent.body,
      headers: sent.headers,
    });
    expect(video.status).toBe(202);
    const stream = await addStream(service, { source: { kind: 'video', video_id: video.json.id } });
    await stream.until('running');
    const frames = () => service.runner.seen.filter(({ priority }) => priority === 'stream').length;
    const [before, beganMs] = [frames(), performance.now()];
    await until(() => expect(frames()).toBeGreaterThan(before + 25));
    // Five a second, beyond the end of the video.
    expect(performance.now() - beganMs).toBeGreaterThan(4000);
    expect((await stream.read()).state.state).toBe('running');
    await stream.remove();
    await service.stop();
    await rm(dir, { recursive: true });
  });

  test('stop when the frames of the day are used up, and say so', async () => {
    const [service, camera] = [await startStreamService({ streamFramesPerDay: 7 }), await startTestCamera()];
    const stream = await addStream(service, camera);
    expect((await stream.until('stopped')).reason).toMatch(/used up its frames of today/);
    const frames = service.runner.seen.filter(({ tasks }) => tasks.includes('detect'));
    expect(frames).toHaveLength(7);
    expect((await callApi(service, '/api/usage')).json.frames).toEqual({ today: 7, limit_per_day: 7 });
    await service.stop();
    await camera.stop();
  });

  test('are off where ffmpeg is missing, and say so', async () => {
    const [service, camera] = [
      await startStreamService({ ffmpegPath: '/no/ffmpeg' }),
      await startTestCamera(),
    ];
    const stream = await addStream(service, camera);
    expect((await stream.until('stopped')).reason).toContain('ffmpeg is not there (/no/ffmpeg)');
    expect(service.logged('live streams are off')).toHaveLength(1);
    expect(await service.readMetrics()).toContain('lynceus_streams{state="stopped"} 1');
    await service.stop();
    await camera.stop();
  });

  test('are left to others by a service without the role', async () => {
    const [service, camera] = [await startStreamService({ roles: 'http' }), await startTestCamera()];
    const stream = await addStream(service, camera);
    expect(service.runningStreams.supervisor).toBeNull();
    expect((await stream.read()).state.state).toBe('connecting');
    await service.stop();
    await camera.stop();
  });
});
