import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { password, startTestFtp, type TestFtp, user } from '#server/drops/ftp/fixtures/test-ftp.js';
import { until } from '#server/drops/servers/fixtures/until.js';
import { haveProgram } from '../support/have-program.js';

let ftp: TestFtp;
let dir: string;
beforeEach(async () => {
  ftp = await startTestFtp();
  dir = await mkdtemp(join(tmpdir(), 'lynceus-ftp-killed-'));
  await writeFile(join(dir, 'image.jpg'), Buffer.alloc(50_000_000, 'x'));
});
afterEach(async () => {
  await ftp.stop();
  await rm(dir, { recursive: true });
});

describe.skipIf(!haveProgram('curl', ['--version'], 'curl'))('an upload whose client is killed', () => {
  test.each([
    ['plain text', [], 'SIGKILL'],
    ['TLS', ['--ssl-reqd', '--insecure'], 'SIGKILL'],
    ['plain text', [], 'SIGTERM'],
    ['TLS', ['--ssl-reqd', '--insecure'], 'SIGTERM'],
  ] as const)('never arrives: %s, %#', async (_way, options, signal) => {
    for (let round = 0; round < 10; round++) {
      const url = `ftp://${user}:${password}@127.0.0.1:${ftp.port}/killed-${round}.jpg`;
      const words = ['-sS', '--limit-rate', '5M', ...options, '-T', join(dir, 'image.jpg'), url];
      const client = spawn('curl', words, { stdio: 'ignore' });
      await until(() => ftp.folders.openUploads === 1);
      await new Promise((resolve) => setTimeout(resolve, round * 10));
      client.kill(signal);
      await once(client, 'exit');
      await until(() => ftp.folders.openUploads === 0);
    }
    expect(ftp.folders.arrived).toEqual([]);
    expect(ftp.folders.cut).toHaveLength(10);
  });
});
