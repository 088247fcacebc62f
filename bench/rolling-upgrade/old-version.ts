import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runCommand } from '../service.js';

/** A version that was committed once, installed and built. */
export interface OldVersion {
  readonly commit: string;
  readonly subject: string;
  /** What runs its commands. */
  readonly bundle: string;
  /** Environment variables of its settings. */
  readonly settings: ReadonlySet<string>;
  /** Whether it starts on tables that a newer version has changed, where the database allows it. */
  readonly startsOnNewerTables: boolean;
}

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const minimumVersionPath = 'packages/server/src/storage/migrations/minimum-version.ts';

const git = async (...words: readonly string[]) => (await run('git', ['-C', root, ...words])).stdout.trim();

/**
 * Installs and builds a commit as its own scripts do it, with `npm ci`, in a folder that is kept: the next run finds it built.
 * @param named what Git resolves: a hash, a branch, HEAD
 */
export async function buildCommit(
  named: string,
  log: (line: string) => void,
): Promise<{ readonly commit: string; readonly dir: string }> {
  const commit = await git('rev-parse', '--verify', `${named}^{commit}`);
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const dir = join(cache, 'lynceus-tests', 'versions', commit);
  const stampPath = `${dir}.built`;
  if (!existsSync(stampPath)) {
    log(`Building ${commit} in ${dir}`);
    const unfinished = `${dir}.part`;
    await Promise.all([dir, unfinished].map((path) => rm(path, { recursive: true, force: true })));
    await mkdir(dirname(dir), { recursive: true });
    // A clone and no worktree: nothing of it is written down in this repository.
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, unfinished]);
    await run('git', ['-C', unfinished, 'checkout', '--quiet', '--detach', commit]);
    await rename(unfinished, dir);
    await run(process.execPath, [join(dir, 'scripts', 'build.mjs')], { cwd: dir, maxBuffer: 1 << 26 });
    await writeFile(stampPath, '');
  }
  return { commit, dir };
}

/** The same for a version with a bundle, with what a start of it depends on. */
export async function buildVersion(named: string, log: (line: string) => void): Promise<OldVersion> {
  const { commit, dir } = await buildCommit(named, log);
  const bundle = pathToFileURL(join(dir, 'packages', 'server', 'dist', 'bundle', 'lynceus.mjs')).href;
  return {
    commit,
    subject: await git('log', '-1', '--format=%s', commit),
    bundle,
    settings: await settingsOf(bundle),
    startsOnNewerTables: existsSync(join(dir, minimumVersionPath)),
  };
}

/** Environment variables of the settings of a version. */
export async function settingsOf(bundle: string): Promise<ReadonlySet<string>> {
  const explained: unknown = JSON.parse(await runCommand(['config', '--json'], {}, bundle));
  if (!Array.isArray(explained)) throw new Error('the old version lists no settings');
  return new Set(explained.map(({ variable }: { readonly variable: unknown }) => String(variable)));
}
