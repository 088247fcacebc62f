import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '#bench/service.js';

const bundle = new URL('../../../packages/server/dist/bundle/', import.meta.url);
const commandLine = new URL('lynceus.mjs', bundle).href;
const Coverage = Type.Object({ result: Type.Array(Type.Object({ url: Type.String() })) });

let folder: string;
let names: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-bundle-'));
  names = (await readdir(bundle)).filter((name) => name.endsWith('.mjs'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function runModule(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const words = ['--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...env } });
  return stdout;
}

/** Files that each process loaded which wrote its coverage there, which names them all. */
async function loadedFiles(dir: string): Promise<string[][]> {
  return Promise.all(
    (await readdir(dir)).map(async (name) => {
      const { result } = Value.Parse(Coverage, JSON.parse(await readFile(join(dir, name), 'utf8')));
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    }),
  );
}

test('the help loads a handful of files', async () => {
  const dir = join(folder, 'help');
  const help = `await (await import('${commandLine}')).runCommandLine(['--help'])`;
  expect(await runModule(help, { NODE_V8_COVERAGE: dir })).toContain('run the service');
  const [files = []] = await loadedFiles(dir);
  expect(files.length).toBeGreaterThan(1);
  expect(files.length).toBeLessThan(10);
});

test('a service loads fewer than 250 files, none of what is in the bundle by itself, and no library that few need', async () => {
  const dir = join(folder, 'service');
  const service = await startService({ NODE_V8_COVERAGE: dir });
  await service.stop();
  const files = (await loadedFiles(dir)).sort((some, others) => others.length - some.length)[0] ?? [];
  expect(files.length).toBeGreaterThan(50);
  expect(files.length).toBeLessThan(250);
  expect(
    files.filter((url) => /\/packages\/\w+\/dist\/(?!bundle)|node_modules\/(fastify|kysely)\//.test(url)),
  ).toEqual([]);
  const bundled = files.filter((url) => url.startsWith(bundle.href));
  const texts = await Promise.all(bundled.map((url) => readFile(new URL(url), 'utf8')));
  const loads = (library: string) => texts.some((text) => text.includes(`node_modules/${library}/`));
  expect(loads('fastify')).toBe(true);
  expect(['exiftool-vendored', 'ssh2', 'mqtt', 'fast-xml-parser'].filter(loads)).toEqual([]);
});

test('every address in the bundle is that of a file', async () => {
  const found = new Map<string, boolean>();
  for (const name of names) {
    const text = await readFile(new URL(name, bundle), 'utf8');
    for (const [, address = ''] of text.matchAll(/new URL\("(\.[^"]*)", import\.meta\.url\)/g))
      found.set(address, existsSync(new URL(address, bundle)));
  }
  expect([...found].filter(([, exists]) => !exists)).toEqual([]);
  expect([...found.keys()]).toEqual(
    expect.arrayContaining([
      './engine-runtime-process-main.mjs',
      './engine-child-process-watch-parent.mjs',
      './engine-training-process-main.mjs',
      './engine-uploads-process-main.mjs',
      './engine-catalog-convert-process.mjs',
      './server-storage-sqlite-writer.mjs',
      './server-storage-sqlite-reader.mjs',
      './server-faces-index-index-worker.mjs',
      './server-training-datasets-import-tree-main.mjs',
      './server-training-datasets-near-worker.mjs',
      './server-delivery-unlock-worker.mjs',
      './server-accounts-users-passwords-strength-worker.mjs',
      '../../../engine/models/',
      '../../assets/sample.jpg',
      '../../package.json',
    ]),
  );
});

test('every part that is shared loads, with the packages that stay outside of the bundle', async () => {
  const shared = names.filter((name) => name.startsWith('chunk-')).map((name) => new URL(name, bundle).href);
  expect(shared.length).toBeGreaterThan(10);
  const load = `for (const url of ${JSON.stringify(shared)}) await import(url); console.log('loaded');`;
  expect(await runModule(load)).toBe('loaded\n');
});

test('packages in CommonJS that are loaded late are used by their default export, the only one that they have', async () => {
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, bundle), 'utf8')));
  const ofOneExport = names.filter((_, index) => /^export default require_/m.test(texts[index] ?? ''));
  expect(ofOneExport.length).toBeGreaterThan(0);
  for (const name of ofOneExport) {
    const uses = texts.flatMap((text) =>
      text.split('\n').filter((line) => line.includes(`import("./${name}")`)),
    );
    expect(uses).not.toEqual([]);
    for (const line of uses) expect(line).toMatch(/\{ default: \w+ \} = await import/);
  }
});

test('a stack names the sources', async () => {
  const print = 'print: () => console.log(new Error().stack)';
  const context = `{ env: {}, cwd: '/', note: () => undefined, ${print} }`;
  const stack = await runModule(
    `await (await import('${commandLine}')).runCommandLine(['config', '--json'], ${context})`,
  );
  expect(stack).toMatch(/packages\/server\/src\/cli\/config\.ts:\d+:\d+/);
});
