import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmSetting, type Programs } from './user.js';

/** Node.js and npm that run this process, or that come with it. */
export async function presentPrograms(): Promise<Programs> {
  const given = process.env['npm_execpath'];
  if (given?.endsWith('npm-cli.js')) return { node: process.execPath, npm: given };
  const found = await promisify(execFile)('/bin/sh', ['-c', 'command -v npm']);
  return { node: process.execPath, npm: await realpath(found.stdout.trim()) };
}

/**
 * Installs Node.js and npm of these versions from the registry: the packages that have the binaries and the program itself, without
 * a script.
 */
export async function installPrograms(
  folder: string,
  nodeRange: string,
  npmRange: string,
): Promise<Programs> {
  const { node, npm } = await presentPrograms();
  const binaries = `node-${process.platform}-${process.arch}`;
  const specs = [`${binaries}@${nodeRange}`, `npm@${npmRange}`];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  const cache = await npmSetting('cache');
  await promisify(execFile)(node, [npm, 'install', ...options, '--cache', cache, ...specs], {
    cwd: dirname(folder),
  });
  const modules = join(folder, 'node_modules');
  return { node: join(modules, binaries, 'bin', 'node'), npm: join(modules, 'npm', 'bin', 'npm-cli.js') };
}
