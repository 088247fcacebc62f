import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nginxConfig } from '#bench/rolling-upgrade/start-nginx.js';
import { haveProgram } from '../support/have-program.js';
import { deployDir } from './deploy-files.js';

const dir = mkdtempSync(join(tmpdir(), 'lynceus-balancers-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.skipIf(!haveProgram('/usr/sbin/nginx', ['-v'], 'nginx-light'))('nginx accepts nginx.conf', () => {
  const path = join(dir, 'nginx.conf');
  writeFileSync(path, nginxConfig({ dir, port: 1, replicas: [2, 3] }));
  const checked = spawnSync('/usr/sbin/nginx', ['-t', '-e', join(dir, 'error.log'), '-c', path], {
    encoding: 'utf8',
  });
  expect(checked.stderr).toContain('test is successful');
});

test.skipIf(!haveProgram('/usr/sbin/haproxy', ['-v'], 'haproxy'))(
  'HAProxy accepts haproxy.cfg as it is',
  () => {
    const checked = execFileSync('/usr/sbin/haproxy', ['-c', '-f', join(deployDir, 'haproxy.cfg')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(checked).toContain('Configuration file is valid');
  },
);
