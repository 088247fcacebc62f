import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatTable } from '../table.js';
import { hasBaseImages, makeBaseImages } from './base-image.js';
import { type Buildah, openBuildah, runProgram } from './buildah.js';
import { checkImage, checkModelsInside } from './check-image.js';
import { type ImageFacts, readImageFacts } from './image-facts.js';
import { stageForOther } from './stage-for-other.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const image = 'localhost/lynceus:bench';
const imageWithModels = 'localhost/lynceus:bench-with-models';
/** Of the files of the image without models. */
const maxBytes = 450_000_000;
/** Each with the package of Debian that has it. */
const programs: readonly (readonly [path: string, debianPackage: string])[] = [
  ['/usr/bin/buildah', 'buildah'],
  ['/usr/sbin/debootstrap', 'debootstrap'],
  ['/usr/bin/unshare', 'util-linux'],
];

/**
 * Builds the images of the Dockerfile without a registry of images and without a daemon, runs them as an orchestrator would, and
 * checks what they do. As root, for mounts.
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
  try {
    let since = performance.now();
    if (!(await hasBaseImages(buildah))) {
      await makeBaseImages(buildah, scratch);
      report('bases by debootstrap', 'made', since);
    }
    since = performance.now();
    await buildImage(buildah, image);
    report('image', 'built', since);
    await withImage(buildah, image, async (files, facts) => {
      for (const folder of ['', 'app/node_modules', 'app/packages', 'usr', 'var'])
        report(`size of /${folder}`, inMegabytes(await bytesOf(join(files, folder))), performance.now());
      const bytes = await bytesOf(files);
      if (bytes > maxBytes) throw new Error(`The image has ${bytes} bytes, more than ${maxBytes}.`);
      await checkImage({ files, facts, scratch, report });
    });
    since = performance.now();
    await buildImage(buildah, imageWithModels, '--target', 'with-models');
    report('image with models', 'built', since);
    await withImage(buildah, imageWithModels, async (files, facts) => {
      report('size with models', inMegabytes(await bytesOf(files)), performance.now());
      await checkModelsInside({ files, facts, scratch, report });
    });
    since = performance.now();
    report('for the other processor', await stageForOther(scratch), since);
    console.log(formatTable(rows));
  } finally {
    for (const name of [image, imageWithModels])
      await buildah.run('rmi', '--force', name).catch(() => undefined);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Layers are kept until the images are removed: both are made from the same ones. */
async function buildImage(buildah: Buildah, name: string, ...words: readonly string[]): Promise<void> {
  const options = ['--isolation', 'chroot', '--pull-never', '--layers', '--format', 'docker'];
  await buildah.run('build', ...options, '--quiet', '--tag', name, ...words, root);
}

async function withImage(
  buildah: Buildah,
  name: string,
  work: (files: string, facts: ImageFacts) => Promise<void>,
): Promise<void> {
  const container = await buildah.run('from', '--pull-never', name);
  try {
    await work(await buildah.run('mount', container), await readImageFacts(buildah, name));
  } finally {
    await buildah.run('rm', container).catch(() => undefined);
  }
}

/** Of all files, as they are. */
async function bytesOf(folder: string): Promise<number> {
  const printed = await runProgram('du', ['--summarize', '--bytes', '--one-file-system', folder]);
  return Number(printed.split('\t')[0]);
}

const inMegabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
