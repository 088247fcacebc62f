import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carryOut } from './carry-out.js';
import { planInstall } from './plan-install.js';
import { requireVisible } from './require-visible.js';

/** Files are given to their owners. */
const asRoot = test.skipIf(process.getuid?.() !== 0);

/** An image of a machine. */
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lynceus-machine-'));
  await mkdir(join(root, 'etc'));
  const users = ['root:x:0:0:root:/root:/bin/sh', 'lynceus:x:991:990::/var/lib/lynceus:/usr/sbin/nologin'];
  await writeFile(join(root, 'etc/passwd'), `${users.join('\n')}\n`);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const request = () => ({
  ...{
    nodePath: '/usr/bin/node',
    programDir: '/opt/lynceus',
    startScript: 'scripts/start.mjs',
    name: 'lynceus',
    user: 'lynceus',
    root,
  },
});
const unitPath = () => join(root, 'etc/systemd/system/lynceus.service');
const configPath = () => join(root, 'etc/lynceus/lynceus.json');

async function install(): Promise<readonly string[]> {
  const steps = await planInstall(request());
  const done: string[] = [];
  for (const { text, change } of steps) {
    if (change === null) continue;
    await carryOut(change, request());
    done.push(text);
  }
  return done;
}

asRoot('makes folders, settings and unit for their owners, and nothing the second time', async () => {
  expect(await install()).toEqual([
    'folder /var/lib/lynceus',
    'folder /etc/lynceus',
    'settings /etc/lynceus/lynceus.json',
    'unit /etc/systemd/system/lynceus.service',
  ]);
  const found = await Promise.all(
    [join(root, 'var/lib/lynceus'), join(root, 'etc/lynceus'), configPath(), unitPath()].map((path) =>
      stat(path),
    ),
  );
  expect(found.map(({ mode, uid, gid }) => [(mode & 0o777).toString(8), uid, gid])).toEqual([
    ['700', 991, 990],
    ['750', 0, 990],
    ['640', 0, 990],
    ['644', 0, 990],
  ]);
  expect(JSON.parse(await readFile(configPath(), 'utf8'))).toEqual({
    ...{ dataDir: '/var/lib/lynceus/data', modelsDir: '/var/lib/lynceus/models' },
  });
  expect(await readFile(unitPath(), 'utf8')).toContain('LYNCEUS_CONFIG=/etc/lynceus/lynceus.json');
  expect(await install()).toEqual([]);
});

asRoot('settings of the operator stay, and a unit of an older version is replaced', async () => {
  await install();
  await writeFile(configPath(), '{"port": 9000}');
  const unit = await readFile(unitPath(), 'utf8');
  await writeFile(unitPath(), unit.replace('RestartSec=2', 'RestartSec=9'));
  expect(await install()).toEqual(['unit /etc/systemd/system/lynceus.service, in place of an older one']);
  expect(await readFile(unitPath(), 'utf8')).toBe(unit);
  expect(await readFile(configPath(), 'utf8')).toBe('{"port": 9000}');
});

test('a unit that somebody else wrote is left alone', async () => {
  await mkdir(join(root, 'etc/systemd/system'), { recursive: true });
  await writeFile(unitPath(), '[Service]\nExecStart=/bin/true\n');
  await expect(planInstall(request())).rejects.toMatchObject({
    ...{
      name: 'InstallRefused',
      message: expect.stringMatching(/was not written by this command; move it away/),
    },
  });
});

test('a user who is not there is made, in the image too', async () => {
  const [first] = await planInstall({ ...request(), user: 'vision' });
  expect(first).toMatchObject({
    change: { kind: 'run', words: expect.arrayContaining(['useradd', '--prefix', root, 'vision']) },
  });
});

test('a program in a home, or one that not everybody may read, is refused', async () => {
  await requireVisible('/usr/bin/env', 'env');
  await expect(requireVisible('/home/anna/lynceus/scripts/start.mjs', 'the program')).rejects.toThrow(
    /the program is in \/home\/anna\/lynceus\/scripts, which a service is not shown; install it for all users/,
  );
  await expect(requireVisible('/usr/bin/not-there', 'it')).rejects.toThrow(/cannot be read by every user/);
});
