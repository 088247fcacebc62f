import { expect, test } from 'vitest';
import { argumentsOf, processesOf } from '../fixtures/processes.js';
import { haveFfmpeg, haveRtspServer } from '../fixtures/programs.js';
import { useRtsp } from '../fixtures/use-rtsp.js';

const maybe = test.skipIf(!haveFfmpeg() || !haveRtspServer());
const { start, open } = useRtsp();

maybe(
  'an RTSP camera with digest authentication gives frames, and ffmpeg sees neither its address nor its password',
  async () => {
    const user = { name: 'admin', password: 'p@ss:w0rd', method: 'digest' } as const;
    const { port } = await start({ user });
    const stream = await open({ kind: 'rtsp', url: `rtsp://admin:p%40ss%3Aw0rd@127.0.0.1:${port}/cam` });
    const frame = await stream.frame();
    expect(frame).toMatchObject({ width: 640, height: 360, sourceWidth: 640, sourceHeight: 360 });
    expect(frame.pixels).toHaveLength(640 * 360 * 3);
    expect(frame.motion).toMatchObject({ width: 96, height: 54 });
    expect(Math.abs(frame.atMs - Date.now())).toBeLessThan(30_000);
    const group = stream.stats()?.pid ?? 0;
    const processes = processesOf(group);
    expect(processes.length).toBeGreaterThan(0);
    for (const shown of processes.map(argumentsOf)) {
      expect(shown).not.toContain(`:${port}/`);
      expect(shown).not.toMatch(/admin|p@ss|p%40|\/cam/);
    }
    await stream.close();
    expect(processesOf(group)).toEqual([]);
    expect(await stream.next(AbortSignal.timeout(1000))).toBeNull();
  },
);

maybe('frames come by UDP as well', async () => {
  const user = { name: 'viewer', password: 'secret', method: 'basic' } as const;
  const { port } = await start({ user });
  const settings = { kind: 'rtsp', transport: 'udp', username: 'viewer', password: 'secret' };
  const stream = await open({ ...settings, url: `rtsp://127.0.0.1:${port}/cam` });
  for (let count = 0; count < 5; count += 1) expect(await stream.frame()).toMatchObject({ width: 640 });
});

maybe('a wrong password is the reason that is given', async () => {
  const { port } = await start({ user: { name: 'admin', password: 'right', method: 'digest' } });
  const stream = await open({ kind: 'rtsp', url: `rtsp://admin:wrong@127.0.0.1:${port}/cam` });
  await expect
    .poll(() => stream.state())
    .toMatchObject({
      kind: 'away',
      failure: { code: 'credentials', message: 'the camera refuses user name and password' },
    });
});
