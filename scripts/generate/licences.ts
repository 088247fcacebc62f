import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const lockPath = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  /** Of a link to a workspace: where that is. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface ShippedPackage {
  /** Where it is in the clone. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Runs with the service, or is part of the page that it serves. */
  readonly partOf: 'service' | 'page';
}

/** Their package.json has the licence in `licenses`, an old form, which the lock file leaves out. */
const licencesMissingInLock: Readonly<Record<string, string>> = {
  ssh2: 'MIT',
  'cpu-features': 'MIT',
  buildcheck: 'MIT',
};

/** Of what the page is made with, these leave nothing in it. */
const toolsOfPage = /^(@types\/.*|@vitejs\/.*|postcss-.*)$/;

export async function readLockedPackages(): Promise<LockedPackages> {
  const { packages }: { packages: LockedPackages } = JSON.parse(await readFile(lockPath, 'utf8'));
  return packages;
}

/** What a user of the service runs or is sent, on any platform: not what builds and tests it. By name. */
export function listShipped(packages: LockedPackages): readonly ShippedPackage[] {
  const bundled = Object.keys(packages['packages/console']?.devDependencies ?? {})
    .filter((name) => !toolsOfPage.test(name))
    .map((name) => resolvePackagePath(packages, 'packages/console', name));
  return [
    ...describeAll(packages, reach(packages, ['packages/server', 'packages/engine']), 'service'),
    ...describeAll(packages, reach(packages, bundled), 'page'),
  ];
}

function describeAll(
  packages: LockedPackages,
  paths: Iterable<string>,
  partOf: ShippedPackage['partOf'],
): readonly ShippedPackage[] {
  return [...paths]
    .filter((path) => path.includes('node_modules/'))
    .map((path) => {
      const name = path.replace(/^.*node_modules\//, '');
      const { version = '', license } = packages[path] ?? {};
      return { path, name, version, licence: license ?? licencesMissingInLock[name] ?? 'unknown', partOf };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

function reach(packages: LockedPackages, from: readonly (string | null)[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path === null || reached.has(path)) continue;
    reached.add(path);
    for (const name of usedBy(packages[path] ?? {})) waiting.push(resolvePackagePath(packages, path, name));
  }
  return reached;
}

/** What a package uses when it runs, peers that it has to have included; types leave nothing. */
function usedBy(locked: LockedPackage): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = locked;
  const peers = Object.keys(peerDependencies).filter(
    (name) => !peerDependenciesMeta[name]?.optional && !toolsOfPage.test(name),
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node finds a package, from another one on: the nearest `node_modules` on the way up. */
function resolvePackagePath(packages: LockedPackages, from: string, name: string): string | null {
  for (let folder: string | null = from; folder !== null; folder = parentOf(folder)) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    const found = packages[path];
    if (found) return found.link ? (found.resolved ?? null) : path;
  }
  return null;
}

function parentOf(folder: string): string | null {
  if (folder === '') return null;
  const end = folder.lastIndexOf('/node_modules/');
  return end < 0 ? '' : folder.slice(0, end);
}

/** A line a package, those of one licence together. */
export async function printLicences(): Promise<void> {
  const shipped = listShipped(await readLockedPackages());
  const byLicence = new Map<string, ShippedPackage[]>();
  for (const each of shipped) byLicence.set(each.licence, [...(byLicence.get(each.licence) ?? []), each]);
  for (const [licence, packages] of [...byLicence].sort(([, one], [, other]) => other.length - one.length)) {
    console.log(`${licence} (${packages.length})`);
    for (const { name, version, partOf } of packages) console.log(`  ${name} ${version}, ${partOf}`);
  }
}
