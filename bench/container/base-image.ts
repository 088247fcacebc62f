import { existsSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Buildah, runProgram } from './buildah.js';

/** The bases that the Dockerfile names. */
const debianName = 'docker.io/library/debian:bookworm-slim';
const nodeName = 'docker.io/library/node:24-bookworm-slim';
const suite = 'bookworm';
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Makes images under the names of the bases, for machines that cannot reach a registry of images: Debian by debootstrap from the
 * mirror that apt-get of this machine uses, and the same with this machine's Node and npm where that base has them.
 */
export async function makeBaseImages(buildah: Buildah, scratch: string): Promise<void> {
  const root = join(scratch, 'base');
  await runProgram('debootstrap', ['--variant=minbase', suite, root, await findMirror()]);
  // The slim image leaves these out as well.
  const unused = ['share/doc', 'share/man', 'share/locale', 'share/info'].map((name) => `usr/${name}`);
  for (const folder of [...unused, 'var/cache/apt', 'var/lib/apt/lists']) {
    await rm(join(root, folder), { recursive: true, force: true });
    await mkdir(join(root, folder));
  }
  await writeFile(join(root, 'etc/hostname'), 'lynceus\n');
  const environment = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
  // Whom this machine trusts, such as a proxy of its network: npm in the build has to as well.
  if (process.env['NODE_EXTRA_CA_CERTS'] !== undefined && existsSync(authorities)) {
    await mkdir(join(root, dirname(authorities)), { recursive: true });
    await cp(authorities, join(root, authorities));
    environment.push(`NODE_EXTRA_CA_CERTS=${authorities}`);
  }
  await commit(buildah, root, debianName, environment);
  await addNode(root);
  await commit(buildah, root, nodeName, environment);
  await rm(root, { recursive: true, force: true });
}

async function commit(
  buildah: Buildah,
  root: string,
  name: string,
  environment: readonly string[],
): Promise<void> {
  const container = await buildah.run('from', 'scratch');
  await buildah.run('add', '--quiet', container, root, '/');
  await buildah.run('config', ...environment.flatMap((line) => ['--env', line]), '--cmd', 'sh', container);
  await buildah.run('commit', '--quiet', '--rm', container, name);
}

export async function hasBaseImages(buildah: Buildah): Promise<boolean> {
  const found = await Promise.all(
    [debianName, nodeName].map((name) => buildah.run('images', '--quiet', name).catch(() => '')),
  );
  return found.every((id) => id !== '');
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

/** Node as this process runs it, and the npm beside it: run this benchmark with the version that the Dockerfile names. */
async function addNode(root: string): Promise<void> {
  if (!nodeName.includes(`:${process.versions.node.split('.')[0]}-`))
    console.log(`Node ${process.versions.node} of this machine takes the place of ${nodeName}.`);
  const npm = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm');
  if (!existsSync(npm)) throw new Error(`There is no npm beside ${process.execPath} (${npm}).`);
  const local = join(root, 'usr/local');
  await cp(process.execPath, join(local, 'bin/node'));
  await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
}
