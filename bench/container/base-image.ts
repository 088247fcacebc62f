import { existsSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Buildah, runProgram } from './buildah.js';

/** The base that the Dockerfile names. */
export const baseName = 'docker.io/library/node:20-bookworm-slim';
const suite = 'bookworm';
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Makes an image under the name of the base, for machines that cannot reach a registry of images: Debian by debootstrap
 * from the mirror that apt-get of this machine uses, and this machine's Node and npm where the base has them.
 */
export async function makeBaseImage(buildah: Buildah, scratch: string): Promise<void> {
  const root = join(scratch, 'base');
  await runProgram('debootstrap', ['--variant=minbase', suite, root, await findMirror()]);
  await rm(join(root, 'var/cache/apt/archives'), { recursive: true, force: true });
  // The slim image leaves these out as well.
  for (const unused of ['doc', 'man', 'locale', 'info']) {
    await rm(join(root, 'usr/share', unused), { recursive: true, force: true });
    await mkdir(join(root, 'usr/share', unused));
  }
  await addNode(root);
  const environment = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
  // Whom this machine trusts, such as a proxy of its network: npm in the build has to as well.
  if (process.env['NODE_EXTRA_CA_CERTS'] !== undefined && existsSync(authorities)) {
    await mkdir(join(root, dirname(authorities)), { recursive: true });
    await cp(authorities, join(root, authorities));
    environment.push(`NODE_EXTRA_CA_CERTS=${authorities}`);
  }
  const container = await buildah.run('from', 'scratch');
  await buildah.run('add', '--quiet', container, root, '/');
  await buildah.run('config', ...environment.flatMap((line) => ['--env', line]), '--cmd', 'node', container);
  await buildah.run('commit', '--quiet', '--rm', container, baseName);
  await rm(root, { recursive: true, force: true });
}

export async function hasBaseImage(buildah: Buildah): Promise<boolean> {
  return buildah.run('images', '--quiet', baseName).then(
    (id) => id !== '',
    () => false,
  );
}

/** Where apt-get of this machine finds the packages of the suite. */
async function findMirror(): Promise<string> {
  const format = ['--format', '$(REPO_URI)|$(CODENAME)'];
  const lines = (await runProgram('apt-get', ['indextargets', ...format])).split('\n');
  const mirror = lines.map((line) => line.split('|')).find(([, codename]) => codename === suite)?.[0];
  if (mirror === undefined)
    throw new Error(`apt-get of this machine has no source of Debian ${suite}; add one to its sources.list.`);
  return mirror;
}

/** Node as this process runs it, and the npm beside it. */
async function addNode(root: string): Promise<void> {
  const npm = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm');
  if (!existsSync(npm)) throw new Error(`There is no npm beside ${process.execPath} (${npm}).`);
  const local = join(root, 'usr/local');
  await cp(process.execPath, join(local, 'bin/node'));
  await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  await writeFile(join(root, 'etc/hostname'), 'lynceus\n');
}
