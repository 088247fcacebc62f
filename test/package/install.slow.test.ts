import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packProject, type Tarball, tarballsFor } from '#bench/npm-package/pack.js';
import { presentPrograms } from '#bench/npm-package/programs.js';
import { maxInstalledBytes, tryPackage } from '#bench/npm-package/try-package.js';
import { makeUser, npmSetting, type User } from '#bench/npm-package/user.js';
import { haveDefaultModels } from '../support/default-models.js';

/** A service under systemd sees no folder for temporary files: where the test may, it installs as for all users. */
const isRoot = process.getuid?.() === 0;
const places = isRoot ? '/opt' : tmpdir();

let scratch: string;
let packed: readonly Tarball[];
/** Seconds on a quiet machine; a busy one needs many times as long for what is read, compressed and written. */
const timeoutMs = 900_000;
beforeAll(async () => {
  scratch = await mkdtemp(join(places, 'lynceus-package-'));
  await chmod(scratch, 0o755);
  packed = await packProject(join(scratch, 'packed'));
}, timeoutMs);
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Names of files in a tarball, or the text of one of them. */
async function readTarball(name: string, ...words: readonly string[]): Promise<string> {
  const { path = '' } = packed.find((each) => each.name === name) ?? {};
  const options = { maxBuffer: 64e6 };
  return (await promisify(execFile)('tar', ['-xOzf', path, ...words], options)).stdout;
}
async function listTarball(name: string): Promise<readonly string[]> {
  const { path = '' } = packed.find((each) => each.name === name) ?? {};
  const { stdout } = await promisify(execFile)('tar', ['-tzf', path], { maxBuffer: 64e6 });
  return stdout.trim().split('\n');
}

describe.skipIf(!(await haveDefaultModels()))('a user with Node.js and npm alone', () => {
  let user: User;
  // npm run bench -- npm-package does it with every Node.js and npm.
  test(
    'installs, has an image recognised, opens the web account, upgrades and stops',
    async () => {
      user = await makeUser(scratch, await presentPrograms(), await npmSetting('cache'));
      const { installedBytes } = await tryPackage(user, tarballsFor(packed));
      expect(installedBytes).toBeLessThan(maxInstalledBytes);
    },
    timeoutMs,
  );

  test.skipIf(!isRoot || !existsSync('/usr/bin/systemd-analyze'))(
    'sets up a unit of systemd that starts the package where npm installed it',
    async () => {
      await chmod(user.home, 0o755);
      const machine = join(scratch, 'machine');
      await mkdir(join(machine, 'etc'), { recursive: true });
      // The unit is looked at on this machine, which has this user.
      await writeFile(join(machine, 'etc/passwd'), 'daemon:x:1:1::/usr/sbin:/usr/sbin/nologin\n');
      const { node } = user.programs;
      const words = [
        join(user.home, 'global/bin/lynceus'),
        'install-service',
        '--root',
        machine,
        '--user',
        'daemon',
      ];
      const run = (program: string, args: readonly string[]) =>
        promisify(execFile)(program, args, { env: user.env }).then(({ stdout, stderr }) => stdout + stderr);
      const shown = await run(node, [...words, '--dry-run']);
      await run(node, words);
      const path = join(machine, 'etc/systemd/system/lynceus.service');
      const unit = await readFile(path, 'utf8');
      expect(shown).toContain(unit.replace(/^(?=.)/gm, '    '));
      const program = join(user.home, 'global/lib/node_modules/lynceus');
      expect(unit).toContain(`\nWorkingDirectory=${program}\n`);
      expect(unit).toContain(`\nExecStart=${node} ${program}/scripts/installed.mjs\n`);
      expect(existsSync(`${program}/scripts/installed.mjs`)).toBe(true);
      expect(await run('systemd-analyze', ['verify', '--no-pager', path])).toBe('');
      const rated = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', path]);
      expect(Number(/exposure level for \S+: (\d+\.\d)/.exec(rated)?.[1])).toBeLessThanOrEqual(2.5);
    },
  );
});

test('there are packages of the service, of its binaries for each platform, and of the client', () => {
  expect(packed.map(({ name }) => name).sort()).toEqual([
    ...['@lynceus/client', '@lynceus/native-linux-arm64', '@lynceus/native-linux-x64', 'lynceus'],
  ]);
});

test('the service names exact versions, and needs no package that runs something at installation', async () => {
  const manifest = JSON.parse(await readTarball('lynceus', 'package/package.json'));
  expect(manifest).toMatchObject({
    bin: { lynceus: 'scripts/installed.mjs' },
    os: ['linux'],
    libc: ['glibc'],
  });
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('scripts');
  expect(Object.keys(manifest.dependencies)).not.toContain('onnxruntime-node');
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.values(manifest.optionalDependencies)).toEqual([manifest.version, manifest.version]);
});

test('licences and a bill of materials come with the service and with the binaries', async () => {
  const texts = await readTarball('lynceus', 'package/THIRD-PARTY-LICENCES.txt');
  expect(texts).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.');
  expect(texts).toContain('fastify 5.');
  const bill = JSON.parse(await readTarball('lynceus', 'package/sbom.cdx.json'));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'lynceus' } } });
  const names: string[] = bill.components.map(({ name }: { readonly name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'react', 'react-is', 'onnxruntime-node', 'sharp']),
  );
  expect(names.filter((name) => ['vitest', 'vite', 'adm-zip', 'typescript'].includes(name))).toEqual([]);
  expect(await listTarball('lynceus')).toContain('package/LICENSE');
  for (const cpu of ['x64', 'arm64'])
    expect(await listTarball(`@lynceus/native-linux-${cpu}`)).toEqual(
      expect.arrayContaining(['package/LICENSE.onnxruntime', 'package/ThirdPartyNotices.onnxruntime.txt']),
    );
});

test('nothing that a user reads in the program or its page is a command of a clone', async () => {
  const wanted = (path: string) => /dist\/(bundle|page)\/.*\.m?js$/.test(path);
  const paths = (await listTarball('lynceus')).filter(wanted);
  expect(paths.length).toBeGreaterThan(200);
  const text = await readTarball('lynceus', ...paths);
  expect(text.match(/.{0,60}npm run -s lynceus -- .{0,20}/g) ?? []).toEqual([]);
});

test('the notices of ONNX Runtime are those of the version that is packed', async () => {
  const { version } = JSON.parse(
    await readFile(new URL('../../../node_modules/onnxruntime-node/package.json', import.meta.url), 'utf8'),
  );
  // Beside scripts/packing/onnxruntime/README.md: take them again with a new version.
  const readme = new URL('../../../scripts/packing/onnxruntime/README.md', import.meta.url);
  expect(await readFile(readme, 'utf8')).toContain(`ONNX Runtime ${version}`);
});
