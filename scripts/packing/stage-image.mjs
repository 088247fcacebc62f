import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { npmEnvironment, npmWords } from '../setup/packages.mjs';
import { root, runScript } from '../setup/prepare.mjs';
import { runQuietly } from '../setup/quiet-run.mjs';
import { readManifest } from './read-manifest.mjs';
import { nativePlatforms, stageNative } from './stage-native.mjs';
import { stageService } from './stage-service.mjs';

// node stage-image.mjs FOLDER [CPU]: puts together what a container has: the package lynceus as npm would install it, in the versions
// of the lock file. CPU is amd64 or arm64, as builders of images call them; without it, that of this machine.

const cpus = { amd64: 'x64', arm64: 'arm64' };

await runScript(async () => {
  const [folder, target] = process.argv.slice(2);
  const cpu = target ? cpus[target] : process.arch;
  const platform = nativePlatforms.find((each) => each.cpu === cpu);
  if (!folder || !platform) throw new Error('Usage: stage-image.mjs FOLDER [amd64 | arm64]');
  const app = await stageService(resolve(folder));
  await cp(join(root, 'scripts', 'healthcheck.mjs'), join(app, 'scripts', 'healthcheck.mjs'));
  const { dependencies } = await readManifest(join(app, 'package.json'));
  await withPackagesFor(platform, (modules) =>
    copyPackages(modules, dependencies, join(app, 'node_modules')),
  );
  await stageNative(join(app, 'node_modules', platform.name), platform);
});

/** Calls `work` with a folder of installed packages; of another processor than this one, they are installed for it. */
async function withPackagesFor({ os, cpu, libc }, work) {
  if (os === process.platform && cpu === process.arch) return work(join(root, 'node_modules'));
  const scratch = await mkdtemp(join(tmpdir(), 'lynceus-image-'));
  try {
    const needed = ['package.json', 'package-lock.json', '.npmrc'];
    const workspaces = [
      'packages/engine',
      'packages/server',
      'packages/client',
      'packages/console',
      'scripts/testing',
    ];
    for (const path of [...needed, ...workspaces.map((each) => join(each, 'package.json'))])
      await cp(join(root, path), join(scratch, path));
    const words = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    words.push(
      `--os=${os}`,
      `--cpu=${cpu}`,
      `--libc=${libc}`,
      '--workspace=packages/engine',
      '--workspace=packages/server',
    );
    await runQuietly(...npmWords(words), {
      cwd: scratch,
      env: npmEnvironment(process.env, scratch),
      failure: `npm ci failed for ${os}-${cpu}`,
    });
    return await work(join(scratch, 'node_modules'));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Copies packages and what they depend on; a package for another platform is not installed, or for musl. */
async function copyPackages(modules, dependencies, to) {
  const waiting = Object.keys(dependencies);
  const copied = new Set();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const from = join(modules, name);
    if (copied.has(name) || name.endsWith('-musl') || !existsSync(from)) continue;
    const manifest = await readManifest(join(from, 'package.json'));
    const wanted = dependencies[name];
    if (wanted !== undefined && wanted !== manifest.version)
      throw new Error(`${from} has version ${manifest.version}, and ${wanted} is needed`);
    await mkdir(to, { recursive: true });
    await cp(from, join(to, name), { recursive: true });
    copied.add(name);
    waiting.push(...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
  }
  const missing = Object.keys(dependencies).filter((name) => !copied.has(name));
  if (missing.length > 0) throw new Error(`These packages are not installed: ${missing.join(', ')}`);
}
