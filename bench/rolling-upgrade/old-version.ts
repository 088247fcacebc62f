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
}

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Only versions that have it made databases that the present version opens. */
const firstMigration = 'packages/server/src/storage/migrations/0001-tables.ts';

const git = async (...words: readonly string[]) => (await run('git', ['-C', root, ...words])).stdout.trim();

/**
 * Installs and builds a commit as its own scripts do it, with `npm ci`, in a folder that is kept: the next run finds it built.
 * @param named what Git resolves: a hash, a branch, HEAD
 */
export async function buildVersion(named: string, log: (line: string) => void): Promise<OldVersion> {
  const commit = await git('rev-parse', '--verify', `${named}^{commit}`);
  if ((await git('ls-tree', '--name-only', commit, firstMigration)) === '')
    throw new Error(
      `${commit} has no ${firstMigration}: the present version refuses its databases. Choose a later commit.`,
    );
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
  const bundle = pathToFileURL(join(dir, 'packages', 'server', 'dist', 'bundle', 'lynceus.mjs')).href;
  return {
    commit,
    subject: await git('log', '-1', '--format=%s', commit),
    bundle,
    settings: await settingsOf(bundle),
  };
}

/** Environment variables of the settings of a version. */
export async function settingsOf(bundle: string): Promise<ReadonlySet<string>> {
  const explained: unknown = JSON.parse(await runCommand(['config', '--json'], {}, bundle));
  if (!Array.isArray(explained)) throw new Error('the old version lists no settings');
  return new Set(explained.map(({ variable }: { readonly variable: unknown }) => String(variable)));
}
