import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { firstKeyOf, recogniseSample, startInstalled } from './installed-service.js';
import { runNpm, type User } from './user.js';

/** Without models and data. */
export const maxInstalledBytes = 250_000_000;

export interface PackageTrial {
  /** From the start of `npm install`. */
  readonly installSeconds: number;
  readonly firstImageSeconds: number;
  readonly installedBytes: number;
  readonly packages: number;
}

/**
 * Does what a user does who has Node.js and npm alone: installs, starts, has an image recognised with the first key, opens the web
 * account, stops, installs over the data for all folders, starts again. Throws at the first thing that is not as it should be.
 * @param tarballs what is installed in place of the names that a registry would have
 */
export async function tryPackage(user: User, tarballs: readonly string[]): Promise<PackageTrial> {
  const app = join(user.home, 'app');
  const since = performance.now();
  const seconds = () => (performance.now() - since) / 1000;
  const printed = await runNpm(user, ['install', ...tarballs], app);
  const installSeconds = seconds();
  if (/npm (warn|error)/i.test(printed)) throw new Error(`npm install is not content:\n${printed}`);
  const packages = await readLock(app);
  const withScripts = packages.filter(({ hasInstallScript }) => hasInstallScript);
  if (withScripts.length > 0) throw new Error(`Install scripts of ${withScripts.map(({ path }) => path)}`);

  const service = await startInstalled(user, [join(app, 'node_modules/.bin/lynceus')], app);
  const key = await firstKeyOf(user);
  const { fileid, titles } = await recogniseSample(service.url, key);
  const firstImageSeconds = seconds();
  if (titles[0] !== 'stop sign') throw new Error(`The sample is ${titles.join(', ')}.`);
  await openWebAccount(service.url);
  if (!service.output().includes('until you run: lynceus keys first'))
    throw new Error(`It names another command:\n${service.output()}`);
  await expectStop(service.stop());
  if (existsSync(join(app, 'data'))) throw new Error('Data is in the folder where it was started.');
  const installedBytes = await bytesBelow(join(app, 'node_modules'));
  if (installedBytes > maxInstalledBytes) throw new Error(`Installed are ${installedBytes} bytes.`);

  await rm(app, { recursive: true });
  const prefix = join(user.home, 'global');
  await runNpm(user, ['install', '--global', '--prefix', prefix, ...tarballs], user.home);
  const again = await startInstalled(user, [join(prefix, 'bin/lynceus'), 'serve'], user.home);
  const kept = await fetch(`${again.url}/api/files/${fileid}`, { headers: { 'x-api-key': key } });
  if (!kept.ok) throw new Error(`The result of before the upgrade is answered ${kept.status}.`);
  await expectStop(again.stop());
  return { installSeconds, firstImageSeconds, installedBytes, packages: packages.length };
}

/** The page, what it loads first, and the documentation of the API, whose files come from a package. */
async function openWebAccount(url: string): Promise<void> {
  const page = await textOf(`${url}/`);
  const script = /<script[^>]* src="([^"]+)"/.exec(page.replace(/<script[^>]*color-scheme[^>]*>/, ''))?.[1];
  if (script === undefined) throw new Error(`The page has no script:\n${page}`);
  await textOf(new URL(script, `${url}/`).href);
  await textOf(`${url}/docs/static/swagger-ui.css`);
}

async function textOf(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} is answered ${answer.status}.`);
  return answer.text();
}

async function expectStop(ended: Promise<unknown>): Promise<void> {
  const code = await ended;
  if (code !== 0) throw new Error(`SIGTERM ended it with ${code}.`);
}

interface Installed {
  readonly path: string;
  readonly hasInstallScript?: boolean;
}

async function readLock(folder: string): Promise<readonly Installed[]> {
  const text = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  const { packages }: { packages: Record<string, Omit<Installed, 'path'>> } = JSON.parse(text);
  return Object.entries(packages).map(([path, entry]) => ({ path, ...entry }));
}

/** Of all files, in bytes as they are. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
