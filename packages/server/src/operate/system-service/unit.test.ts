import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemdUnit } from './unit.js';

const maybe = test.skipIf(!existsSync('/usr/bin/systemd-analyze'));
const options = {
  ...{
    nodePath: '/usr/bin/env',
    programDir: '/opt/lynceus',
    startScript: 'scripts/start.mjs',
    user: 'daemon',
  },
  ...{ configPath: '/etc/lynceus/lynceus.json', stateDir: '/var/lib/lynceus' },
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-unit-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function analyse(verb: readonly string[], unit: string): Promise<string> {
  const path = join(dir, 'lynceus.service');
  await writeFile(path, unit);
  return execFileSync('systemd-analyze', [...verb, '--no-pager', path], { encoding: 'utf8' });
}

maybe('systemd finds nothing wrong with the unit', async () => {
  // It must find what is executed.
  expect(await analyse(['verify'], systemdUnit(options))).toBe('');
});

maybe('systemd rates its exposure at most 2.5 of 10', async () => {
  const rated = await analyse(['security', '--offline=true'], systemdUnit(options));
  expect(Number(/exposure level for \S+: (\d+\.\d)/.exec(rated)?.[1])).toBeLessThanOrEqual(2.5);
});

maybe('a folder with a space, a percent and a dollar sign is named as it is', async () => {
  const unit = systemdUnit({ ...options, programDir: '/opt/a 100% "dear" $HOME' });
  expect(unit).toContain('ExecStart=/usr/bin/env "/opt/a 100%% \\"dear\\" $$HOME/scripts/start.mjs"');
  expect(await analyse(['verify'], unit)).toBe('');
});
