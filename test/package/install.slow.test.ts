import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packProject, type Tarball, tarballsFor } from '#bench/npm-package/pack.js';
import { presentPrograms } from '#bench/npm-package/programs.js';
import { maxInstalledBytes, tryPackage } from '#bench/npm-package/try-package.js';
import { makeUser, npmSetting } from '#bench/npm-package/user.js';
import { haveDefaultModels } from '../support/default-models.js';

let scratch: string;
let packed: readonly Tarball[];
/** Seconds on a quiet machine; a busy one needs many times as long for what is read, compressed and written. */
const timeoutMs = 900_000;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'lynceus-package-'));
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
  // npm run bench -- npm-package does it with every Node.js and npm.
  test(
    'installs, has an image recognised, opens the web account, upgrades and stops',
    async () => {
      const user = await makeUser(scratch, await presentPrograms(), await npmSetting('cache'));
      const { installedBytes } = await tryPackage(user, tarballsFor(packed));
      expect(installedBytes).toBeLessThan(maxInstalledBytes);
    },
    timeoutMs,
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
