import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFreePort } from '../../delivery/fixtures/started-program.js';
import { collectGarbage } from '../../drops/servers/fixtures/collect-garbage.js';
import { killServer } from '../fixtures/kill-server.js';
import { liveServers } from '../fixtures/live-servers.js';
import { haveFfmpeg, haveRtspServer } from '../fixtures/programs.js';
import { useRtsp } from '../fixtures/use-rtsp.js';

const maybe = test.skipIf(!haveFfmpeg() || !haveRtspServer());
const { start, open } = useRtsp();
/** On a busy machine a server and two programs of ours take ten seconds to start. */
/** `SERVER_KILLS=20` for a long run. */
const kills = Number(process.env['SERVER_KILLS'] ?? 2);
const startsMs = 60_000 + kills * 30_000;

maybe(
  'a source that repeats one image is frozen, is opened again, and runs when the image changes',
  async () => {
    let server = await start({ pattern: 'red' });
    const stream = await open(
      { kind: 'rtsp', url: `rtsp://127.0.0.1:${server.port}/cam` },
      { frozenAfterMs: 1000 },
    );
    await expect.poll(() => stream.state().kind).toBe('frozen');
    await expect.poll(() => stream.stats()?.restarts ?? 0).toBeGreaterThan(0);
    // It says so until something else is seen.
    expect(stream.states.slice(-1)).toEqual([{ kind: 'frozen' }]);
    await server.stop();
    server = await start({ port: server.port });
    await expect.poll(() => stream.state().kind).toBe('running');
  },
);

test.each(liveServers())(
  'a stream of %s comes back by itself from failures of its server, one after the other, and leaves nothing open',
  async (_protocol, start) => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    await killServer(start, kills);
    await expect.poll(openFiles).toBeLessThanOrEqual(before);
  },
  startsMs,
);

maybe('memory stays as it is while a camera is away', async () => {
  const heapBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const port = await findFreePort();
  for (const settings of [
    { kind: 'rtsp', url: `rtsp://127.0.0.1:${port}/cam` },
    { kind: 'mjpeg', url: `http://127.0.0.1:${port}/cam` },
    { kind: 'rtmp', url: `rtmp://127.0.0.1:${port}/live/cam` },
  ]) {
    let attempts = 0;
    const stream = await open(settings, {
      firstRetryMs: 1,
      maxRetryMs: 1,
      onRun() {
        attempts += 1;
      },
    });
    await expect.poll(() => attempts).toBeGreaterThan(500);
    const states = stream.states;
    states.length = 0;
    const before = heapBytes();
    attempts = 0;
    await expect.poll(() => attempts).toBeGreaterThan(3000);
    states.length = 0;
    const grownBytes = heapBytes() - before;
    await stream.close();
    // 3000 attempts that left 300 bytes each would be seen.
    expect([settings.kind, grownBytes < 900_000]).toEqual([settings.kind, true]);
  }
});
