import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmEnvironment, npmWords } from '../setup/packages.mjs';
import { root } from '../setup/prepare.mjs';
import { runQuietly } from '../setup/quiet-run.mjs';
import { listShippedHere, lockedPackages } from './shipped.mjs';

const workspaces = ['packages/engine', 'packages/server', 'packages/client', 'packages/console'];

/**
 * Writes the bill of materials in the format of CycloneDX, by npm itself: of a copy of the lock file that has what ships and no
 * more. What the page is made of counts as its dependencies there, since it ships, though npm need not install it.
 */
export async function writeBillOfMaterials(path) {
  const scratch = await mkdtemp(join(tmpdir(), 'lynceus-bill-'));
  const folder = join(scratch, 'lynceus');
  try {
    await writeProject(folder);
    const words = [
      'sbom',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
      '--package-lock-only',
      '--loglevel=error',
    ];
    const printed = await runQuietly(...npmWords(words), {
      cwd: folder,
      env: npmEnvironment(process.env, scratch),
      failure: 'npm sbom failed',
    });
    await writeFile(path, `${JSON.stringify(JSON.parse(printed), null, 2)}\n`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function writeProject(folder) {
  const locked = await lockedPackages();
  const shipped = await listShippedHere();
  const names = new Set(shipped.map(({ name }) => name));
  const project = { ...locked[''], workspaces, devDependencies: undefined };
  const packages = { '': project };
  for (const { path } of shipped) packages[path] = asRuntime(locked[path]);
  for (const workspace of workspaces) {
    packages[workspace] = withShipped(locked[workspace], names);
    const link = `node_modules/${locked[workspace].name}`;
    packages[link] = locked[link];
    await writeManifest(join(folder, workspace), packages[workspace]);
  }
  const { description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeManifest(folder, { ...project, description });
  const lock = {
    ...{ name: project.name, version: project.version, lockfileVersion: 3, requires: true },
    // In their order npm finds what is within what.
    packages: Object.fromEntries(Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1))),
  };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** What only the builds of the clone need is left out of its packages, and no dependency is one of development. */
function withShipped({ dependencies, devDependencies, ...entry }, names) {
  const all = Object.entries({ ...devDependencies, ...dependencies });
  return {
    ...entry,
    dependencies: Object.fromEntries(all.filter(([name]) => names.has(name) || name.startsWith('@lynceus/'))),
  };
}

/** Neither of development nor wanting types, which leave nothing in what ships. */
function asRuntime({ dev, devOptional, peer, peerDependencies = {}, ...entry }) {
  const peers = Object.entries(peerDependencies).filter(([name]) => !name.startsWith('@types/'));
  return { ...entry, peerDependencies: Object.fromEntries(peers) };
}

async function writeManifest(folder, manifest) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
}
