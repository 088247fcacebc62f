import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  defaultExiftoolOptions,
  type ExiftoolOptions,
  type RunningExiftool,
  startExiftool,
} from '#server/drops/keywords/exiftool.js';
import { havePerl, type KeywordTrial, never, startKeywordTrial } from './keyword-trial.js';

describe.skipIf(!havePerl)('exiftool as a process', () => {
  const open: (RunningExiftool | KeywordTrial)[] = [];
  const start = (options: Partial<ExiftoolOptions>) => {
    const exiftool = startExiftool({ ...defaultExiftoolOptions, processes: 1, ...options });
    open.push(exiftool);
    return exiftool;
  };
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  let jpeg: Buffer;
  beforeAll(async () => {
    jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
  });

  test('where perl is missing, the error says what is to be installed', async () => {
    const exiftool = start({ perl: '/nowhere/perl' });
    const wanted = { code: 'unavailable', message: /apt-get install perl/ };
    await expect(exiftool.checkAvailable()).rejects.toMatchObject(wanted);
    await expect(exiftool.run(['-ver'], never())).rejects.toMatchObject(wanted);
  });

  test('where it cannot start, waiting calls fail', async () => {
    await expect(start({ maxMemoryBytes: 1e7 }).checkAvailable()).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('a command that takes too long is ended', async () => {
    const exiftool = start({ commandTimeoutMs: 1 });
    await expect(exiftool.run(['-j', '-ver', '-listx'], never())).rejects.toMatchObject({
      code: 'timed-out',
    });
  });

  test('accounts take turns: one that waits for many long commands holds half of the processes', async () => {
    const exiftool = start({ processes: 2 });
    await exiftool.checkAvailable();
    const ended: string[] = [];
    const end = new AbortController();
    const run = (accountId: number, command: string, signal: AbortSignal) =>
      exiftool
        .of(accountId)
        .run([command], signal)
        .then(
          () => ended.push(command),
          () => undefined,
        );
    const long = Array.from({ length: 8 }, () => run(1, '-listx', end.signal));
    await Promise.all(Array.from({ length: 3 }, () => run(2, '-ver', never())));
    expect(ended.filter((command) => command === '-listx').length).toBeLessThan(4);
    end.abort();
    await Promise.all(long);
  });

  test('accounts take turns: one that abandons many long commands holds half of the processes', async () => {
    const exiftool = start({ processes: 2 });
    const timeOf = async (work: () => Promise<unknown>) => {
      const startMs = performance.now();
      await work();
      return performance.now() - startMs;
    };
    const runAll = (accountId: number, command: string, signal: AbortSignal) =>
      Promise.all(['a', 'b'].map(() => exiftool.of(accountId).run([command], signal)));
    // Both processes have started afterwards.
    await Promise.all([exiftool.of(1).run(['-ver'], never()), exiftool.of(2).run(['-ver'], never())]);
    const longMs = await timeOf(() => exiftool.of(1).run(['-listx'], never()));
    for (let round = 0; round < 4; round += 1) {
      const abandoned = runAll(1, '-listx', AbortSignal.timeout(Math.round(longMs / 20)));
      await expect(abandoned).rejects.toMatchObject({ name: 'TimeoutError' });
    }
    // An abandoned command goes on in its process: with one in each, others would wait for most of its time.
    const otherMs = await timeOf(() => runAll(2, '-ver', never()));
    expect(otherMs).toBeLessThan(longMs / 2);
  });

  test('an aborted call ends at once', async () => {
    const work = start({}).run(['-listx'], AbortSignal.timeout(1));
    await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('a process that dies costs its own file one attempt, and the next file nothing', async () => {
    const trial = await startKeywordTrial();
    open.push(trial);
    await trial.write('first.jpg', jpeg, ['boat']);
    const work = trial.exiftool.run(['-listx'], never());
    // Killed before it has the work, it would lose none: another one gets it.
    await sleep(300);
    for (const pid of trial.exiftool.pids()) process.kill(pid, 'SIGKILL');
    await expect(work).rejects.toMatchObject({
      code: 'interrupted',
      message: expect.not.stringContaining('/'),
    });
    await expect(trial.write('next.jpg', jpeg, ['boat'])).resolves.toMatchObject({
      written: { keywords: ['boat'] },
    });
  });

  test('a service that is killed leaves no process behind', async () => {
    const program = `
      import { defaultExiftoolOptions, startExiftool } from '#server/drops/keywords/exiftool.js';
      const exiftool = startExiftool(defaultExiftoolOptions);
      await exiftool.checkAvailable();
      console.log(exiftool.pids().join());
      setInterval(() => {}, 1000);`;
    const service = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(service.stdout, 'data');
    const pids = String(line).trim().split(',').map(Number);
    expect(pids.length).toBeGreaterThan(0);
    service.kill('SIGKILL');
    await expect.poll(() => pids.filter(isRunning), { timeout: 120_000 }).toEqual([]);
  });

  test('a service without a free file descriptor fails waiting calls, and continues', async () => {
    const program = `
      import { closeSync, openSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      import { defaultExiftoolOptions, startExiftool } from '#server/drops/keywords/exiftool.js';
      const awake = setInterval(() => {}, 1000);
      const exiftool = startExiftool(defaultExiftoolOptions);
      await exiftool.checkAvailable();
      for (const pid of exiftool.pids()) process.kill(pid, 'SIGKILL');
      while (exiftool.pids().length > 0) await sleep(10);
      const taken = [];
      try {
        for (;;) taken.push(openSync('/dev/null'));
      } catch (error) {
        console.log(error.code);
      }
      await exiftool.checkAvailable().catch(({ code }) => console.log(code));
      for (const file of taken) closeSync(file);
      await exiftool.checkAvailable();
      console.log('goes on');
      await exiftool.close();
      clearInterval(awake);`;
    const limited = ['-c', 'ulimit -n 200 && exec "$0" "$@"', process.execPath];
    const service = spawn('sh', [...limited, '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = text(service.stdout);
    expect(await once(service, 'exit')).toEqual([0, null]);
    expect(await output).toBe('EMFILE\nunavailable\ngoes on\n');
  });
});

/** A process that has ended and that nobody has asked about is still in the list: its command line is empty. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
