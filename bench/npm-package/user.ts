import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Node.js and npm of a user. */
export interface Programs {
  readonly node: string;
  /** `npm-cli.js`. */
  readonly npm: string;
}

/** A user of a machine: an empty home, no settings of npm, and the way to the registry that this machine has. */
export interface User {
  readonly home: string;
  readonly programs: Programs;
  readonly env: Readonly<Record<string, string>>;
}

/** How a machine reaches the registry; nothing else of its environment is passed on. */
const passedOn =
  /^(https?_proxy|no_proxy|npm_config_(https?_proxy|proxy|noproxy|cafile)|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i;

/**
 * @param scratch below which the home is
 * @param cache of npm; in the home unless given, and empty
 */
export async function makeUser(scratch: string, programs: Programs, cache?: string): Promise<User> {
  const home = await mkdtemp(join(scratch, 'home-'));
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name))),
    PATH: [dirname(programs.node), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    npm_config_registry: await npmSetting('registry'),
    ...(cache && { npm_config_cache: cache }),
  };
  return { home, programs, env: withoutUndefined(env) };
}

/** Runs the user's npm; answers what it prints, on both outputs. */
export async function runNpm(user: User, words: readonly string[], cwd: string): Promise<string> {
  await mkdir(cwd, { recursive: true });
  const { node, npm } = user.programs;
  const { stdout, stderr } = await promisify(execFile)(node, [npm, ...words], { cwd, env: user.env });
  return stdout + stderr;
}

/** A setting of npm on this machine, such as its registry or its cache. */
export async function npmSetting(name: 'registry' | 'cache'): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', name]);
  return stdout.trim();
}

function withoutUndefined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
