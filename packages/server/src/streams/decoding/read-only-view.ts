import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeoutMs = 20_000;

/** Where files of users, other programs and this service may be; a decoder needs none of them. */
const usuallyHidden = [
  ...['/home', '/root', '/srv', '/mnt', '/media'],
  ...['/tmp', '/var/tmp', '/dev/shm', '/run'],
] as const;

/** Lays an empty folder over each of its arguments before `--`, makes every mount read-only, and runs what follows. */
const script = `while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount -t tmpfs -o ro,nosuid,nodev,noexec,size=4k,mode=555 none "$1" || exit 125; fi
  shift
done
shift
mounts=$(cat /proc/self/mountinfo) || exit 125
printf '%s\\n' "$mounts" | while read -r _ _ _ _ dir options _; do
  case $options in rw*) ;; *) continue ;; esac
  case $dir in /proc*|/sys*|/dev*) continue ;; esac
  dir=$(printf '%b' "$dir")
  if [ -d "$dir" ]; then mount -o "remount,bind,ro\${options#rw}" "$dir" || [ "$dir" != / ] || exit 125; fi
done || exit 125
exec "$@"`;

/**
 * A program and arguments after which the words of a decoder stand: it then sees the machine read-only and without the folders of
 * users, programs and this service, has no capabilities, and can read neither the memory nor the environment of other processes. What
 * it is to read or write is given to it as open descriptors. Uses namespaces of Linux (user_namespaces(7), mount_namespaces(7)); empty
 * where the system does not let this process make them, as in most containers.
 * @param words run in the view to see that it works, such as `ffmpeg -version`
 * @param hiddenDirs besides those that are hidden everywhere
 */
export async function findReadOnlyView(
  words: readonly [program: string, ...args: string[]],
  hiddenDirs: readonly string[],
): Promise<readonly string[]> {
  const programPaths = await pathsOf(words[0]);
  const isHideable = (dir: string) =>
    dir !== sep && programPaths.every((path) => !path.startsWith(dir + sep));
  const dirs = new Set([...usuallyHidden, homedir(), ...hiddenDirs].map((dir) => resolve(dir)));
  const view = [
    ...['unshare', '--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', script, 'view'],
    ...[...[...dirs].filter(isHideable), '--'],
    ...['setpriv', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--'],
  ];
  const [program = '', ...args] = [...view, ...words];
  return run(program, args, { timeout: timeoutMs, cwd: '/' }).then(
    () => view,
    () => [],
  );
}

/** Where a program is, by its name and without symbolic links: those folders must be seen. */
async function pathsOf(program: string): Promise<readonly string[]> {
  const { stdout } = await run('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', program]).catch(() => ({
    stdout: '',
  }));
  const path = stdout.trim();
  return path === '' ? [] : [path, await realpath(path).catch(() => path)];
}
