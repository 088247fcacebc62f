import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../../http/fixtures/test-service.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { startTestCamera, type TestCamera } from '../fixtures/test-camera.js';
import { addStream, person, seeing, startStreamService, until } from './fixtures/stream-service.js';

describe.skipIf(!haveFfmpeg())('the metrics of streams', () => {
  let service: TestService;
  let camera: TestCamera;
  beforeAll(async () => {
    [service, camera] = [await startStreamService({ streamMaxFps: 2 }), await startTestCamera()];
  });
  afterAll(async () => {
    await service.stop();
    await camera.stop();
  });

  /** The value of a series, 0 where there is none yet. */
  const read = async (series: string): Promise<number> => {
    const line = (await service.readMetrics()).split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.split(' ')[1] ?? 0);
  };

  test('count states, frames, frames beyond what the service may analyse, events and restarts', async () => {
    service.runner.script = async () => seeing(person);
    // It wants five times as many frames as all streams may have.
    const stream = await addStream(service, camera, { fps: 10 });
    await stream.until('running');
    expect(await read('lynceus_streams{state="running"}')).toBe(1);
    expect(await read('lynceus_streams{state="away"}')).toBe(0);
    await until(async () => expect(await read('lynceus_stream_events_total{kind="start"}')).toBe(1));
    await until(async () =>
      expect(await read('lynceus_stream_frames_total{outcome="left_out"}')).toBeGreaterThan(20),
    );
    const analysed = await read('lynceus_stream_frames_total{outcome="analysed"}');
    const frames = service.runner.seen.filter(({ tasks }) => tasks.includes('detect')).length;
    expect(analysed).toBeGreaterThan(0);
    expect(Math.abs(analysed - frames)).toBeLessThanOrEqual(2);
    expect(await read('lynceus_stream_frames_total{outcome="left_out"}')).toBeGreaterThan(analysed);
    expect(await read('lynceus_stream_decoder_restarts_total')).toBe(0);

    await camera.stop();
    await stream.until('away');
    await until(async () => expect(await read('lynceus_stream_decoder_restarts_total')).toBeGreaterThan(0));
    // It is tried again now and then, and is not away for that moment.
    await until(async () => expect(await read('lynceus_streams{state="away"}')).toBe(1));
    await stream.change({ enabled: false });
    await until(async () => expect(await read('lynceus_streams{state="away"}')).toBe(0));
    expect(await read('lynceus_stream_events_total{kind="end"}')).toBe(1);
    // Numbers of streams and accounts would be series without end.
    const labels = (await service.readMetrics()).match(/lynceus_stream\w*\{[^}]*\}/g) ?? [];
    expect(labels.join('\n')).not.toMatch(/stream_id|account|name=/);
  });
});
