import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatTable } from '../table.js';
import { hasBaseImage, makeBaseImage } from './base-image.js';
import { openBuildah, runProgram } from './buildah.js';
import { checkImage } from './check-image.js';
import { readImageFacts } from './image-facts.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const image = 'localhost/lynceus:bench';
/** Each with the package of Debian that has it. */
const programs: readonly (readonly [path: string, debianPackage: string])[] = [
  ['/usr/bin/buildah', 'buildah'],
  ['/usr/sbin/debootstrap', 'debootstrap'],
  ['/usr/bin/unshare', 'util-linux'],
];

/**
 * Builds the image of the Dockerfile without a registry of images and without a daemon, runs it as an orchestrator
 * would, and checks what it does. As root, for mounts.
 */
export async function runContainer(): Promise<void> {
  const missing = programs.filter(([path]) => !existsSync(path)).map(([, name]) => name);
  if (missing.length > 0) throw new Error(`Missing programs: apt-get install ${missing.join(' ')}`);
  if (process.getuid?.() !== 0) throw new Error('This command makes mounts: run it as root.');
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const scratch = await mkdtemp(join(tmpdir(), 'lynceus-container-'));
  const rows = [['STEP', 'RESULT', 'SECONDS']];
  const report = (step: string, result: string, sinceMs: number) => {
    rows.push([step, result, ((performance.now() - sinceMs) / 1000).toFixed(1)]);
    console.log(rows.at(-1)?.join(', '));
  };
  const buildah = await openBuildah(join(cache, 'lynceus-tests', 'container'), scratch);
  let container: string | undefined;
  try {
    let since = performance.now();
    if (!(await hasBaseImage(buildah))) {
      await makeBaseImage(buildah, scratch);
      report('base by debootstrap', 'made', since);
    }
    since = performance.now();
    const options = ['--isolation', 'chroot', '--pull-never', '--layers=false', '--format', 'docker'];
    await buildah.run('build', ...options, '--quiet', '--tag', image, root);
    report('image', 'built', since);
    container = await buildah.run('from', '--pull-never', image);
    const files = await buildah.run('mount', container);
    since = performance.now();
    for (const part of ['', 'app/node_modules', 'app/packages', 'usr', 'var'])
      report(`size of /${part}`, await sizeOf(join(files, part)), since);
    await checkImage({ files, facts: await readImageFacts(buildah, image), scratch, report });
    console.log(formatTable(rows));
  } finally {
    if (container !== undefined) await buildah.run('rm', container).catch(() => undefined);
    await buildah.run('rmi', '--force', image).catch(() => undefined);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Of all files, as they are, in millions of bytes. */
async function sizeOf(folder: string): Promise<string> {
  const printed = await runProgram('du', ['--summarize', '--bytes', '--one-file-system', folder]);
  return `${Math.round(Number(printed.split('\t')[0]) / 1e6)} MB`;
}
