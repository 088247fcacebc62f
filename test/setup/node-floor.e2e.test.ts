import { readFile } from 'node:fs/promises';
import semver from 'semver';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const Lockfile = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({
      // Packages of long ago have a list.
      engines: Type.Optional(
        Type.Union([Type.Object({ node: Type.Optional(Type.String()) }), Type.Array(Type.String())]),
      ),
    }),
  ),
});
const Manifest = Type.Object({ engines: Type.Object({ node: Type.String() }) });

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8'));
}

async function declaredFloor(path: string): Promise<string> {
  const { engines } = Value.Parse(Manifest, await readJson(path));
  return semver.minVersion(engines.node)?.version ?? '';
}

function wantedNode(engines: { readonly node?: string } | readonly string[] | undefined): string | undefined {
  if (engines === undefined || 'node' in engines) return engines?.node;
  return Array.isArray(engines) ? engines.find((each) => each.startsWith('node '))?.slice(5) : undefined;
}

test('every installed package runs on the oldest Node that is promised', async () => {
  const floor = await declaredFloor('package.json');
  const { packages } = Value.Parse(Lockfile, await readJson('package-lock.json'));
  const excluded = Object.entries(packages)
    .map(([path, { engines }]) => ({ path, wanted: wantedNode(engines) }))
    .filter(({ wanted }) => wanted !== undefined && !semver.satisfies(floor, wanted))
    .map(({ path, wanted }) => `${path} wants Node ${wanted}`);
  expect(Object.keys(packages).length).toBeGreaterThan(300);
  expect(excluded).toEqual([]);
});

test('the packages, the check at the start and the README promise the same oldest Node', async () => {
  const floor = await declaredFloor('package.json');
  for (const path of ['packages/client/package.json', 'packages/console/package.json']) {
    expect(await declaredFloor(path), path).toBe(floor);
  }
  const { checkMachine } = await import(new URL('scripts/setup/machine.mjs', root).href);
  expect(() => checkMachine({ version: floor })).not.toThrow();
  const [major, minor] = floor.split('.').map(Number);
  expect(() => checkMachine({ version: `${major}.${Number(minor) - 1}.0` })).toThrow(
    `Node ${major}.${minor}`,
  );
  expect(await readFile(new URL('README.md', root), 'utf8')).toContain(`Node.js ${major}.${minor} or newer`);
});
