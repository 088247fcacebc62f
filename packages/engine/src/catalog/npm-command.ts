import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

interface NpmOptions {
  readonly env: Environment;
  /** The working folder of npm, and of its cache when the home folder cannot be written. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Runs npm and returns its standard output. Throws an `NpmError` with the end of its error output. */
export function runNpm(args: readonly string[], { env, folder, signal }: NpmOptions): Promise<string> {
  const { command, before } = findNpm(env);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...before, ...args], {
      cwd: folder,
      env: npmEnvironment(env, folder),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout = (stdout + chunk).slice(-1 << 20);
    });
    child.stderr.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(-1 << 14);
    });
    child.once('error', (error) => {
      reject(signal.aborted ? error : new NpmError('npm cannot be started; is it installed?', 'ENOENT'));
    });
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else
        reject(new NpmError(sayWhy(stderr), /npm (?:error|ERR!) code (\S+)/.exec(stderr)?.[1] ?? `${code}`));
    });
  });
}

export class NpmError extends Error {
  override readonly name = 'NpmError';
  constructor(
    message: string,
    /** npm's own code: `ENOTFOUND`, `E404`, `EINTEGRITY` and so on. */
    readonly code: string,
  ) {
    super(message);
  }
}

/** The npm that started this process, else the one beside this Node, else the one on the path. */
function findNpm(env: Environment): { command: string; before: string[] } {
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  for (const script of [env['npm_execpath'], beside]) {
    if (script?.endsWith('npm-cli.js') && existsSync(script))
      return { command: process.execPath, before: [script] };
  }
  return { command: 'npm', before: [] };
}

function npmEnvironment(env: Environment, folder: string): Record<string, string | undefined> {
  const home = env['HOME'];
  const cacheNamed = env['npm_config_cache'] !== undefined || env['NPM_CONFIG_CACHE'] !== undefined;
  return {
    ...env,
    ...(home === undefined || home === '' ? { HOME: folder } : {}),
    ...(!cacheNamed && !canWrite(home) ? { npm_config_cache: join(folder, 'npm-cache') } : {}),
    npm_config_update_notifier: 'false',
    // Workspace options of an outer npm do not apply to a download.
    npm_config_workspace: undefined,
    npm_config_workspaces: undefined,
    npm_config_dry_run: undefined,
    npm_config_json: undefined,
  };
}

function canWrite(folder: string | undefined): boolean {
  if (folder === undefined || folder === '') return false;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm's message without its prefixes, and without queries and credentials of addresses. */
function sayWhy(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => /^npm (?:error|ERR!) (?!code |A complete log|\s*$)(.*)$/.exec(line)?.[1]?.trim())
    .filter((line): line is string => Boolean(line));
  const text =
    lines.slice(0, 2).join(' ') || stderr.trim().split('\n').at(-1) || 'npm failed without a message';
  return text
    .replace(/\/\/[^/\s@]*@/g, '//')
    .replace(/\?\S*/g, '')
    .slice(0, 300);
}
