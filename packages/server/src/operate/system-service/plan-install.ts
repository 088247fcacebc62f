import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InstallRefused } from './install-refused.js';
import { firstConfig, systemdUnit, unitMark } from './unit.js';

export interface InstallRequest {
  readonly nodePath: string;
  readonly programDir: string;
  /** What starts the service, below `programDir`. */
  readonly startScript: string;
  /** Names the unit, `/etc/NAME` and `/var/lib/NAME`. */
  readonly name: string;
  readonly user: string;
  /** Below which files are written in place of `/`: an image of a machine. Nothing is run then. */
  readonly root: string;
}

/** One thing that is done, in words, and how; `run` is null where it is so already. */
export interface Step {
  readonly text: string;
  readonly change: Change | null;
}

export type Change =
  | { readonly kind: 'run'; readonly words: readonly [string, ...string[]] }
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number; readonly owner: Owner }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly text: string;
      readonly mode: number;
      readonly owner: Owner;
    };
/** `root:user` or `user:user`; of an image of a machine they stay as they are. */
export type Owner = 'service' | 'root, read by the service';

/** What is to be done for a service under systemd; of what is there already, nothing. Throws `InstallRefused`. */
export async function planInstall(request: InstallRequest): Promise<readonly Step[]> {
  const { name, user, root, nodePath, programDir, startScript } = request;
  const [stateDir, configDir] = [`/var/lib/${name}`, `/etc/${name}`];
  const configPath = `${configDir}/${name}.json`;
  const unitPath = `/etc/systemd/system/${name}.service`;
  const unit = systemdUnit({ nodePath, programDir, startScript, configPath, stateDir, user });
  const at = (path: string) => join(root, path);
  return [
    await planUser(user, stateDir, root),
    await planFolder(at(stateDir), stateDir, 0o700, 'service'),
    await planFolder(at(configDir), configDir, 0o750, 'root, read by the service'),
    await planConfig(at(configPath), configPath, firstConfig({ stateDir })),
    await planUnit(at(unitPath), unitPath, unit),
    ...(root === '/' ? [run(['systemctl', 'daemon-reload'], 'systemd reads its units again')] : []),
  ];
}

const run = (words: readonly [string, ...string[]], text: string): Step => ({
  ...{ text, change: { kind: 'run', words } },
});

async function planUser(user: string, home: string, root: string): Promise<Step> {
  const users = await readFile(join(root, 'etc/passwd'), 'utf8').catch(() => '');
  if (users.split('\n').some((line) => line.startsWith(`${user}:`)))
    return { text: `user ${user} is there`, change: null };
  const words = ['--system', '--user-group', '--no-create-home', '--home-dir', home];
  const [program, ...prefix] = root === '/' ? ['useradd'] : ['useradd', '--prefix', root];
  return run(
    [program ?? 'useradd', ...prefix, ...words, '--shell', '/usr/sbin/nologin', user],
    `user ${user}, of the system, without a log-in`,
  );
}

async function planFolder(path: string, shown: string, mode: number, owner: Owner): Promise<Step> {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isDirectory())
    throw new InstallRefused(`${shown} is no folder; move it away.`);
  if (found !== null) return { text: `folder ${shown} is there`, change: null };
  return { text: `folder ${shown}`, change: { kind: 'folder', path, mode, owner } };
}

/** Settings that are there are somebody's. */
async function planConfig(path: string, shown: string, text: string): Promise<Step> {
  const isThere = await access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return { text: `settings ${shown} are there`, change: null };
  const owner = 'root, read by the service';
  return { text: `settings ${shown}`, change: { kind: 'file', path, text, mode: 0o640, owner } };
}

async function planUnit(path: string, shown: string, text: string): Promise<Step> {
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found === text) return { text: `unit ${shown} is as it should be`, change: null };
  if (found !== null && !found.startsWith(unitMark)) {
    throw new InstallRefused(
      `${shown} was not written by this command; move it away, or choose another --name.`,
    );
  }
  const change = { kind: 'file', path, text, mode: 0o644, owner: 'root, read by the service' } as const;
  return { text: `unit ${shown}${found === null ? '' : ', in place of an older one'}`, change };
}
