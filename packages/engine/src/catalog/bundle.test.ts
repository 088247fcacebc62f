import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Catalog, openCatalog } from './catalog.js';
import { CatalogError } from './catalog-error.js';
import type { ModelSource } from './entry.js';
import { type PackageRegistry, startPackageRegistry } from './fixtures/package-registry.js';
import { factsOf, tinyEntry, tinyModel, writeEntries } from './fixtures/tiny-model.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-bundle-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = tinyModel();
const facts = Object.entries(files).map(([name, content]) => factsOf(name, content));
const sha256Of = (name: string) => facts.find((file) => file.name === name)?.sha256 ?? '';

/** A machine with the files, and one with the same catalogue but without a network. */
async function machine(name: string, hasFiles: boolean, id = 'colours'): Promise<Catalog> {
  const home = join(folder, name);
  const entriesDir = join(home, 'entries');
  const source: ModelSource = { kind: 'file', files: facts.map((file) => ({ ...file, path: file.name })) };
  await writeEntries(entriesDir, [tinyEntry(id, source)]);
  // `model.json` is a source file, so it is in another folder than the entries.
  if (hasFiles) {
    await mkdir(join(home, 'files'), { recursive: true });
    const moved = facts.map((file) => ({ ...file, path: join(home, 'files', file.name) }));
    await writeEntries(entriesDir, [tinyEntry(id, { kind: 'file', files: moved })]);
    for (const [file, content] of Object.entries(files)) await writeFile(join(home, 'files', file), content);
  }
  return openCatalog({ modelsDir: join(home, 'models'), entriesDir });
}

const sourcesOf = (name: string) => readdir(join(folder, name, 'models', 'sources')).catch(() => []);
const leftOver = (name: string) => readdir(join(folder, name, 'models', 'scratch')).catch(() => []);

test('a bundle carries models to a machine without a network', async () => {
  const bundle = join(folder, 'models.tar');
  await (await machine('here', true)).exportBundle(['colours'], bundle);
  const there = await machine('there', false);
  await expect(there.install(['colours'])).rejects.toThrow(/cannot be read/);
  expect(await there.importFile(bundle)).toEqual(['colours']);
  await there.install(['colours']);
  expect(await there.verify(['colours'])).toMatchObject([{ state: 'ok' }]);
});

test('a bundle installs the models it was made from, and no others that share their files', async () => {
  const here = await machine('here', true);
  const entry = here.list()[0]?.entry;
  if (entry === undefined) throw new Error('no entry');
  await writeEntries(join(folder, 'here', 'entries'), [{ ...entry, id: 'twin' }]);
  const both = await openCatalog({
    modelsDir: join(folder, 'here', 'models'),
    entriesDir: join(folder, 'here', 'entries'),
  });
  await both.exportBundle(['twin'], join(folder, 'twin.tar'));
  expect(await both.importFile(join(folder, 'twin.tar'))).toEqual(['twin']);
});

test('the same models give the same bundle', async () => {
  const here = await machine('here', true);
  await here.exportBundle(['colours'], join(folder, 'a.tar'));
  await here.exportBundle(['colours'], join(folder, 'b.tar'));
  expect(await readFile(join(folder, 'a.tar'))).toEqual(await readFile(join(folder, 'b.tar')));
});

test('a bundle that cannot be written is reported with its path', async () => {
  const here = await machine('here', true);
  await expect(here.exportBundle(['colours'], join(folder, 'no', 'such', 'x.tar'))).rejects.toThrow(
    /x\.tar cannot be/,
  );
});

test('a single source file is identified by its bytes', async () => {
  const there = await machine('there', false);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, `any-${name}`), content);
  expect(await there.importFile(join(folder, 'any-weights.bin'))).toEqual([]);
  expect(await there.importFile(join(folder, 'any-model.json'))).toEqual(['colours']);
});

describe('a package', () => {
  let registry: PackageRegistry;
  beforeEach(async () => {
    registry = await startPackageRegistry();
  });
  afterEach(() => registry.close());

  test('downloaded by hand is imported', async () => {
    const source = await registry.add('@test/colours', files);
    await writeEntries(join(folder, 'entries'), [tinyEntry('colours', source)]);
    const catalog = await openCatalog({
      modelsDir: join(folder, 'models'),
      entriesDir: join(folder, 'entries'),
    });
    await writeFile(join(folder, 'package.tgz'), registry.tarball('@test/colours'));
    expect(await catalog.importFile(join(folder, 'package.tgz'))).toEqual(['colours']);
    await catalog.install(['colours']);
  });
});

describe('a hostile bundle is refused and leaves nothing behind', () => {
  const index = (
    models = [{ id: 'colours', files: facts.map(({ sha256, bytes }) => ({ sha256, bytes })) }],
  ) => Buffer.from(JSON.stringify({ format: 'lynceus-models', formatVersion: 1, models }));
  const name = `sources/${sha256Of('weights.bin')}`;

  async function bundleOf(members: readonly (readonly [string, Buffer])[], preservePaths = false) {
    const staging = await mkdtemp(join(folder, 'staging-'));
    await mkdir(join(staging, 'in', 'sources'), { recursive: true });
    for (const [path, content] of members) await writeFile(join(staging, 'in', path), content);
    const file = join(staging, 'bundle.tar');
    await create(
      { file, cwd: join(staging, 'in'), preservePaths },
      members.map(([path]) => path),
    );
    return file;
  }

  async function expectRefused(bundle: string, reason: RegExp): Promise<void> {
    const there = await machine('there', false);
    const failure = await there.importFile(bundle).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CatalogError);
    expect(String(failure)).toMatch(reason);
    expect(await leftOver('there')).toEqual([]);
  }

  test('with a path outside the folder', async () => {
    const bundle = await bundleOf(
      [
        ['lynceus-models.json', index()],
        ['../escaped', Buffer.from('x')],
      ],
      true,
    );
    await expectRefused(bundle, /"\.\.\/escaped\\?" does not belong there/);
    expect(await sourcesOf('there')).toEqual([]);
  });

  test('with a link', async () => {
    const staging = await mkdtemp(join(folder, 'staging-'));
    await writeFile(join(staging, 'lynceus-models.json'), index());
    await mkdir(join(staging, 'sources'));
    await symlink('/etc/passwd', join(staging, name));
    const file = join(folder, 'linked.tar');
    await create({ file, cwd: staging }, ['lynceus-models.json', name]);
    await expectRefused(file, /is no plain file/);
  });

  test('with bytes that do not match their name', async () => {
    const content = Buffer.alloc(files['weights.bin'].length);
    await expectRefused(
      await bundleOf([
        ['lynceus-models.json', index()],
        [name, content],
      ]),
      /has SHA-256/,
    );
    expect(await sourcesOf('there')).toEqual([]);
  });

  test('with a file that is too large under a known name', async () => {
    const bundle = await bundleOf([
      ['lynceus-models.json', index()],
      [name, Buffer.alloc(5_000_000)],
    ]);
    await expectRefused(bundle, /has more than 12 bytes/);
  });

  test('with an unknown file, whose bytes are skipped', async () => {
    const bundle = await bundleOf([
      ['lynceus-models.json', index([{ id: 'other', files: [] }])],
      [`sources/${'0'.repeat(64)}`, Buffer.alloc(5_000_000)],
    ]);
    await expectRefused(bundle, /brings other, in no version that this catalogue knows/);
    expect(await sourcesOf('there')).toEqual([]);
  });

  test('with an invalid index', async () => {
    await expectRefused(
      await bundleOf([['lynceus-models.json', Buffer.from('{"format":1}')]]),
      /not as `models export`/,
    );
    await expectRefused(
      await bundleOf([[name, files['weights.bin']]]),
      /first member is not lynceus-models\.json/,
    );
  });

  test('that is truncated', async () => {
    const bundle = join(folder, 'models.tar');
    await (await machine('here', true)).exportBundle(['colours'], bundle);
    const whole = await readFile(bundle);
    for (const bytes of [0, 100, 600, 1100, 1600]) {
      await writeFile(join(folder, 'cut.tar'), whole.subarray(0, bytes));
      await expectRefused(join(folder, 'cut.tar'), /is not a bundle/);
    }
  });

  test('made of random bytes', async () => {
    const there = await machine('there', false);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.boolean(), async (bytes, looksZipped) => {
        const file = join(folder, 'any.tar');
        await writeFile(file, looksZipped ? Buffer.concat([Buffer.from([0x1f, 0x8b]), bytes]) : bytes);
        await expect(there.importFile(file)).rejects.toThrow(CatalogError);
      }),
      { numRuns: 60 },
    );
    expect(await sourcesOf('there')).toEqual([]);
  });

  test('that does not exist, or is a folder', async () => {
    await expectRefused(join(folder, 'absent.tar'), /There is no file/);
    expect((await stat(folder)).isDirectory()).toBe(true);
    await expectRefused(folder, /There is no file/);
  });
});
