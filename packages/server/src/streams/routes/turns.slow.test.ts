import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../delivery/fixtures/started-program.js';
import { callApi } from '../../http/api/fixtures/call-api.js';
import type { TestService } from '../../http/fixtures/test-service.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { startTestCamera, type TestCamera } from '../fixtures/test-camera.js';
import { removeStreams, startStreamService, until } from './fixtures/stream-service.js';

describe.skipIf(!haveFfmpeg())('a service with two places for streams, both taken by one account', () => {
  let service: TestService;
  let camera: TestCamera;
  beforeAll(async () => {
    [service, camera] = [
      await startStreamService({ streamMaxPerReplica: 2, streamMaxPerAccount: 10 }),
      await startTestCamera(),
    ];
  });
  afterEach(() => removeStreams(service));
  afterAll(async () => {
    await service.stop();
    await camera.stop();
  });

  const add = async (source: object, key = service.key) => {
    const made = await callApi(service, '/api/streams', {
      method: 'POST',
      key,
      body: { name: 'camera', source, settings: { motion_gate: false } },
    });
    expect(made.status).toBe(201);
    return async () => (await callApi(service, `/api/streams/${made.json.id}`, { key })).json.state;
  };

  test('gives another account a turn within a minute, and says to owners that all places are taken', async () => {
    const dead = { kind: 'mjpeg', address: `http://127.0.0.1:${await findFreePort()}/video` };
    const states = [await add(dead), await add(dead), await add(camera.source), await add(camera.source)];
    const statesNow = () => Promise.all(states.map((read) => read()));
    await until(async () =>
      expect((await statesNow()).filter(({ state }) => state === 'waiting').length).toBe(2),
    );
    const [waits] = (await statesNow()).filter(({ state }) => state === 'waiting');
    expect(waits.reason).toMatch(/all places for streams are taken/);

    const { key } = await service.makeKey('second');
    const startedMs = performance.now();
    const other = await add(camera.source, key);
    await until(async () => expect(await other()).toMatchObject({ state: 'running', reason: null }));
    expect(performance.now() - startedMs).toBeLessThan(60_000);

    // The first account keeps the other place, and the dead streams make room for those that have frames.
    await until(async () => expect((await statesNow()).some(({ state }) => state === 'running')).toBe(true));
    expect((await other()).state).toBe('running');
    const reasons = (await statesNow()).map(({ reason }) => reason);
    expect(reasons.some((reason) => /refuses the connection.*all places/.test(reason ?? ''))).toBe(true);
    await until(() =>
      expect(service.runningStreams.supervisor?.notices?.()).toEqual([
        expect.stringMatching(/live streams wait for room: raise streamMaxPerReplica \(2\)/),
      ]),
    );
  });
});
