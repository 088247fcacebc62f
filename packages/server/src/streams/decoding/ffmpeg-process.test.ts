import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { argumentsOf, processesOf } from '../fixtures/processes.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { FfmpegProcess } from './ffmpeg-process.js';
import { type Ffmpeg, findFfmpeg } from './find-ffmpeg.js';
import { openFramePipe } from './frame-pipe.js';

const maybe = test.skipIf(!haveFfmpeg());
const endless = [
  '-loglevel',
  'level+error',
  '-re',
  '-f',
  'lavfi',
  '-i',
  'testsrc2',
  '-f',
  'rawvideo',
  'pipe:1',
];

async function start(
  args: readonly string[],
  options: { ffmpeg?: Partial<Ffmpeg>; maxMemoryBytes?: number } = {},
) {
  const lines: string[] = [];
  const { input, childEnd } = await openFramePipe();
  const written = new Promise<void>((resolve) => input.start(() => resolve()));
  const child = new FfmpegProcess({
    ffmpeg: { ...(await findFfmpeg('ffmpeg')), ...options.ffmpeg },
    args,
    input: null,
    frames: childEnd,
    maxMemoryBytes: options.maxMemoryBytes ?? 0,
    niceness: 5,
    onLine: (line, level) => lines.push(`${level}: ${line}`),
  });
  return { child, lines, written, group: child.pid ?? 0 };
}

maybe('close ends ffmpeg and the shell, and waits for it', async () => {
  const { child, written, group } = await start(endless);
  await written;
  expect(processesOf(group).map(argumentsOf).join('\n')).toMatch(/nice|ffmpeg/);
  await Promise.all([child.close(), child.close()]);
  expect(processesOf(group)).toEqual([]);
});

maybe('a program that heeds no signal is killed after two seconds', async () => {
  const ignoring = { path: '/bin/sh' };
  const { child, written, group } = await start(
    ['-c', "trap '' TERM; echo ready; while :; do sleep 0.1; done"],
    {
      ffmpeg: ignoring,
    },
  );
  await written;
  const startedAt = performance.now();
  await child.close();
  expect(performance.now() - startedAt).toBeGreaterThan(1900);
  await expect.poll(() => processesOf(group)).toEqual([]);
});

maybe('its exit code and its last lines are there when it ends by itself, and nothing is left', async () => {
  const { child, lines, group } = await start(['-loglevel', 'level+error', '-i', '/nowhere.mp4']);
  expect(await child.exited).toBe(1);
  expect(lines).toEqual(['error: [error] /nowhere.mp4: No such file or directory']);
  expect(processesOf(group)).toEqual([]);
  const absent = await start([], { ffmpeg: { path: '/nowhere/ffmpeg' } });
  expect(await absent.child.exited).toBe(127);
});

maybe('it may take no more memory than it is given', async () => {
  const { child, lines } = await start(['-version'], { maxMemoryBytes: 64 * 1024 * 1024 });
  expect(await child.exited).toBe(127);
  expect(lines.join('\n')).toMatch(/failed to map segment|[Cc]annot allocate memory/);
});

/** A service that starts ffmpeg, prints the id of its group, and lives on. */
const service = (folder: string, ffmpeg: Ffmpeg) => `
import { FfmpegProcess } from '${folder}ffmpeg-process.js';
import { openFramePipe } from '${folder}frame-pipe.js';
const { input, childEnd } = await openFramePipe();
const child = new FfmpegProcess({
  ffmpeg: ${JSON.stringify(ffmpeg)}, args: ${JSON.stringify(endless)}, input: null, frames: childEnd, maxMemoryBytes: 0, niceness: 0, onLine() {},
});
let isReady = false;
input.start(() => { if (!isReady) console.log(child.pid); isReady = true; });
setInterval(() => {}, 1000);
`;

maybe('nothing outlives a service that is killed, with the help of the kernel or without', async () => {
  const found = await findFfmpeg('ffmpeg');
  for (const guard of [found.guard, []]) {
    const folder = new URL('./', import.meta.url).href;
    const words = ['--input-type=module', '-e', service(folder, { ...found, guard })];
    const parent = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const group = Number(line);
    expect(processesOf(group).length).toBeGreaterThanOrEqual(2);
    parent.kill('SIGKILL');
    await expect.poll(() => processesOf(group)).toEqual([]);
  }
});
