import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runQuietly } from './quiet-run.mjs';

const stampOf = (root) => join(root, 'node_modules', '.lynceus-install');

/**
 * `product` is what runs (the dependencies of engine and server) and what builds (those of the root and of the page); `all` has
 * what scripts/testing names as well, which is half of the time and of the bytes.
 */
const workspacesOf = {
  product: ['packages/engine', 'packages/server', 'packages/client', 'packages/console'],
  all: [],
};

/** Whether the packages of the lock file, for this kind of machine, are installed: by us, or by hand with npm ci. */
export function packagesAreInstalled(root, scope = 'product') {
  try {
    const found = readFileSync(stampOf(root), 'utf8');
    if (found === requiredPackages(root, scope) || found === requiredPackages(root, 'all')) return true;
  } catch {
    // No stamp of ours.
  }
  return npmInstalledAll(root);
}

/** Compares the lock file with the one that npm leaves in node_modules once it has put everything there. */
function npmInstalledAll(root) {
  try {
    const wanted = packagesIn(join(root, 'package-lock.json'));
    const found = packagesIn(join(root, 'node_modules', '.package-lock.json'));
    return Object.entries(wanted).every(
      ([path, entry]) => !isForHere(path, entry) || found[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

const packagesIn = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/** Leaves out the clone itself, its workspaces, and binaries of other platforms; musl is refused elsewhere. */
function isForHere(path, { os, cpu, libc, optional, link }) {
  if (link || !path.startsWith('node_modules/')) return false;
  if (!optional) return true;
  // An optional package for every platform is there for one that has none of its own.
  if (!os && !cpu) return false;
  const allows = (list, name) => !list || list.includes(name);
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, 'glibc');
}

export async function installPackages(root, scope, env = process.env) {
  const spare = mkdtempSync(join(tmpdir(), 'lynceus-npm-'));
  try {
    // NODE_ENV=production would leave out what builds. Scripts of packages never run: .npmrc says so.
    const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    const chosen = workspacesOf[scope].map((folder) => `--workspace=${folder}`);
    if (chosen.length > 0) args.push(...chosen, '--include-workspace-root');
    await runQuietly(...npmWords(args, env), {
      cwd: root,
      env: npmEnvironment(env, spare),
      failure: 'npm ci failed; is there a way to the npm registry?',
    });
  } finally {
    rmSync(spare, { recursive: true, force: true });
  }
  writeFileSync(stampOf(root), requiredPackages(root, scope));
}

function requiredPackages(root, scope) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${lock} ${process.platform}-${process.arch} ${scope}\n`;
}

/** The program that runs npm, and its words: npm as it started us, else the one beside this Node, else the one on the path. */
export function npmWords(args, env = process.env) {
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const script = [env.npm_execpath, beside].find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
  return script ? [process.execPath, [script, ...args]] : ['npm', args];
}

/** npm wants a home folder that can be written; a container may have none. */
export function npmEnvironment(env, spare) {
  const usable = env.HOME && canWrite(env.HOME);
  const cacheNamed = env.npm_config_cache || env.NPM_CONFIG_CACHE;
  return {
    ...env,
    ...(env.HOME ? {} : { HOME: spare }),
    ...(usable || cacheNamed ? {} : { npm_config_cache: join(spare, 'cache') }),
  };
}

function canWrite(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
