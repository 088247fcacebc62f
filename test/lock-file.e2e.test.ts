import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

// npm leaves out what its registry did not have when the file was written, and npm 11 then refuses to install.
test('the lock file names the parts for every platform, so that npm ci accepts it everywhere', () => {
  const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const { packages }: LockFile = JSON.parse(readFileSync(path, 'utf8'));
  const packagePaths = Object.keys(packages);
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !packagePaths.some((packagePath) => packagePath.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});
