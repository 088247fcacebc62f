import { createRequire } from 'node:module';

const fromPeers = createRequire(new URL('../../peers/packages/package.json', import.meta.url));

/** The path of a file of a package that only comparisons need; `npm ci` of the clone does not install these. */
export function resolvePeer(file: string): string {
  try {
    return fromPeers.resolve(file);
  } catch (cause) {
    throw new Error(
      `${file} is not installed; the comparisons need packages of their own: npm ci --prefix bench/peers/packages`,
      { cause },
    );
  }
}

/** Loads such a module. Its types are not installed either, so the caller states what it uses of it. */
export function loadPeer<T>(file: string): T {
  return fromPeers(resolvePeer(file)) as T;
}
