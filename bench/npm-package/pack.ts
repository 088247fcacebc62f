import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Tarball {
  /** In a registry. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/** Does what `npm run pack` does, once all is built; the tarballs are below `folder`, which is emptied first. */
export async function packProject(folder: string): Promise<readonly Tarball[]> {
  const { packAll }: { packAll: (to: string) => Promise<readonly Tarball[]> } = await import(
    pathToFileURL(`${root}/scripts/packing/pack-all.mjs`).href
  );
  return packAll(folder);
}

/** What a machine like this one installs of them: the service and the binaries of its platform. */
export function tarballsFor(
  packed: readonly Tarball[],
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): readonly string[] {
  const names = ['lynceus', `@lynceus/native-${platform}-${arch}`];
  const found = packed.filter(({ name }) => names.includes(name));
  if (found.length !== names.length) throw new Error(`There are no packages for ${platform}-${arch}.`);
  return found.map(({ path }) => path);
}
