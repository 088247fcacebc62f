import { expect, test } from 'vitest';
import { haveFfmpeg, haveRtspServer } from '../fixtures/programs.js';
import { useRtsp } from '../fixtures/use-rtsp.js';

const maybe = test.skipIf(!haveFfmpeg() || !haveRtspServer());
const { start, open } = useRtsp();

maybe('a stream comes back by itself whenever its server does', async () => {
  let server = await start();
  const stream = await open({ kind: 'rtsp', url: `rtsp://127.0.0.1:${server.port}/cam` });
  for (let kill = 0; kill < 2; kill += 1) {
    await stream.frame();
    await server.stop();
    await expect.poll(() => stream.state().kind).toBe('away');
    server = await start({ port: server.port });
    const seen = stream.states.length;
    await stream.frame();
    expect(stream.states.slice(seen).map(({ kind }) => kind)).toContain('running');
  }
  expect(stream.stats()?.restarts).toBeGreaterThanOrEqual(2);
});
