import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let clone: string;

/** What every entry of the bundle loads. */
const traces = 'packages/engine/src/source-traces.ts';

/** A clone in small: the real scripts, bundler and compiler, and packages of one file each. Built once, then copied. */
let built: string;
let firstBuild: { readonly stdout: string; readonly stderr: string };
beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'lynceus-built-'));
  await writeClone(built);
  firstBuild = await run(built, 'say', 'it');
});
afterAll(() => rm(built, { recursive: true, force: true }));
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'lynceus-clone-'));
  await cp(built, clone, { recursive: true, verbatimSymlinks: true });
});
afterEach(() => rm(clone, { recursive: true, force: true }));

async function writeClone(folder: string): Promise<void> {
  const generators = join(root, 'scripts', 'generate');
  await cp(join(root, 'scripts'), join(folder, 'scripts'), {
    recursive: true,
    filter: (path) => path !== generators,
  });
  for (const file of ['tsconfig.base.json', 'package-lock.json'])
    await cp(join(root, file), join(folder, file));
  await writeFile(join(folder, 'tsconfig.json'), '{ "files": [] }');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of ['engine', 'server', 'client', 'console']) {
    const target = join(folder, 'packages', name);
    await mkdir(join(target, 'src', 'cli'), { recursive: true });
    // The page's own settings want a bundler; here it is a package like the others, and what bundles it a line.
    const settings = name === 'console' ? 'client' : name;
    await cp(join(root, 'packages', settings, 'tsconfig.json'), join(target, 'tsconfig.json'));
    await writeFile(join(target, 'src', 'index.ts'), 'export const answer = 42;\n');
  }
  // No operations: what the client has of the document is empty.
  await mkdir(join(folder, 'packages/server/assets'));
  await writeFile(
    join(folder, 'packages/server/assets/openapi.json'),
    JSON.stringify({ components: { schemas: {} }, paths: {} }),
  );
  await writeFile(join(folder, 'packages/client/calls.mjs'), 'export const calls = {};\n');
  await mkdir(join(folder, 'packages/client/src/service'));
  await writeFile(
    join(folder, 'packages/client/src/service/operation.ts'),
    'export type OperationTable = object;\n',
  );
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs', 'one.md'), '# One\n');
  await mkdir(join(folder, 'node_modules', 'vite', 'bin'), { recursive: true });
  await writeFile(join(folder, 'node_modules', 'vite', 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'node_modules/vite/bin/vite.js'),
    "import { mkdirSync, writeFileSync } from 'node:fs';\n" +
      "mkdirSync('dist/page', { recursive: true });\nwriteFileSync('dist/page/index.html', 'the page');\n",
  );
  await writeFile(
    join(folder, 'packages/server/src/cli/main.ts'),
    "export function runCommandLine(words: string[]): number { console.log(words.join(' ')); return 0; }\n",
  );
  await writeFile(join(folder, 'packages/server/src/service-without-models.ts'), 'export {};\n');
  await cp(join(root, traces), join(folder, traces));
  for (const name of [
    'esbuild',
    '@esbuild',
    'typescript',
    'typescript-7',
    '@typescript',
    '@types',
    'undici-types',
  ]) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  // What npm leaves behind, without our stamp: packages brought by hand with npm ci.
  await cp(join(root, 'node_modules/.package-lock.json'), join(folder, 'node_modules/.package-lock.json'));
}

const run = (folder = clone, ...words: string[]) =>
  promisify(execFile)(process.execPath, [join(folder, 'scripts', 'lynceus.mjs'), ...words]).catch(
    (failed: { stdout: string; stderr: string }) => ({ ...failed, failed: true }),
  );
const bundled = () => join(clone, 'packages/server/dist/bundle/lynceus.mjs');

test('the first command builds, and its output holds the answer alone', () => {
  expect(firstBuild).toMatchObject({ stdout: 'say it\n', stderr: '' });
});

describe('packages', () => {
  const installed = async (scope = 'product'): Promise<unknown> => {
    const address = join(clone, 'scripts/setup/packages.mjs');
    const ask = `import(process.argv[1]).then((setup) => console.log(setup.packagesAreInstalled(...process.argv.slice(2))))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', ask, address, clone, scope]);
    return JSON.parse(stdout);
  };
  /** An npm that installs nothing and writes down how it was asked. */
  const install = async (scope: string): Promise<string[]> => {
    const npm = join(clone, 'npm-cli.js');
    await writeFile(
      npm,
      "import('node:fs').then((fs) => fs.writeFileSync('asked', process.argv.join(' ')));",
    );
    const ask = `import(process.argv[1]).then((setup) => setup.installPackages(...process.argv.slice(2)))`;
    const words = ['-e', ask, join(clone, 'scripts/setup/packages.mjs'), clone, scope];
    await promisify(execFile)(process.execPath, words, { env: { ...process.env, npm_execpath: npm } });
    return (await readFile(join(clone, 'asked'), 'utf8')).split(' ').slice(2);
  };
  const hidden = () => join(clone, 'node_modules/.package-lock.json');

  test('that npm ci brought by hand are not brought again', async () => {
    expect(await installed()).toBe(true);
  });

  test('are brought when one of them has another version', async () => {
    const text = await readFile(hidden(), 'utf8');
    await writeFile(
      hidden(),
      text.replace(/("node_modules\/typescript": \{\s*"version": ")[^"]*/, '$10.0.0'),
    );
    expect(await installed()).toBe(false);
  });

  test('are brought when an installation was cut short', async () => {
    await rm(hidden());
    expect(await installed()).toBe(false);
  });

  test('to start are those that run and build; to test, all', async () => {
    await rm(hidden());
    expect(await install('product')).toEqual(
      expect.arrayContaining(['ci', '--workspace=packages/server', '--include-workspace-root']),
    );
    expect([await installed('product'), await installed('all')]).toEqual([true, false]);
    expect((await install('all')).filter((word) => word.includes('workspace'))).toEqual([]);
    expect([await installed('product'), await installed('all')]).toEqual([true, true]);
  });

  test('that only tests need are named by the workspace of the tests', async () => {
    const read = async (path: string): Promise<string> => readFile(join(root, path), 'utf8');
    const { devDependencies = {} } = JSON.parse(await read('package.json'));
    expect(Object.keys(devDependencies)).toEqual(['esbuild', 'vite']);
    for (const name of ['engine', 'server', 'client'])
      expect(JSON.parse(await read(`packages/${name}/package.json`))).not.toHaveProperty('devDependencies');
  });
});

describe('a built clone', () => {
  const change = (text: string) => writeFile(join(clone, 'packages/server/src/cli/main.ts'), text);

  test('is not built again for a file that was only touched', async () => {
    await writeFile(bundled(), "export const runCommandLine = () => console.log('as it was');");
    await utimes(join(clone, 'packages/server/src/cli/main.ts'), new Date(), new Date());
    expect(await run()).toMatchObject({ stdout: 'as it was\n' });
  });

  test('is built again when a source changed', async () => {
    await change("export function runCommandLine(): void { console.log('changed'); }\n");
    expect(await run()).toMatchObject({ stdout: 'changed\n' });
  });

  test('is built again when its output is gone', async () => {
    await rm(bundled());
    expect(await run()).not.toHaveProperty('failed');
    expect(await readFile(bundled(), 'utf8')).toContain('runCommandLine');
  });

  test('keeps files of an earlier bundle for a week, for a service that runs from it', async () => {
    const bundle = join(clone, 'packages/server/dist/bundle');
    const first = await readdir(bundle);
    await change("export function runCommandLine(): void { console.log('changed'); }\n");
    await run();
    const second = await readdir(bundle);
    expect(second).toEqual(expect.arrayContaining(first));
    expect(second.length).toBeGreaterThan(first.length);
    const eightDaysAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
    for (const name of second) await utimes(join(bundle, name), eightDaysAgo, eightDaysAgo);
    await change("export function runCommandLine(): void { console.log('changed again'); }\n");
    await run();
    expect(await readdir(bundle)).toHaveLength(first.length);
  });

  test('that does not compile says where', async () => {
    await change('export const runCommandLine = ;\n');
    expect(await run()).toMatchObject({
      failed: true,
      stdout: '',
      stderr: expect.stringMatching(/Unexpected ";"[\s\S]*cli\/main\.ts:1:30[\s\S]*The build failed/),
    });
  });

  test('that does not compile leaves the bundle that was there', async () => {
    const before = await readFile(bundled(), 'utf8');
    await change('export const runCommandLine = ;\n');
    await run();
    expect(await readFile(bundled(), 'utf8')).toBe(before);
  });

  test('is built once by two commands at once', async () => {
    await change("export function runCommandLine(): void { console.log('changed'); }\n");
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ stdout }) => stdout)).toEqual(['changed\n', 'changed\n']);
    expect(await readdir(clone)).not.toContain('.lynceus-setup.lock');
  });

  test('takes over from a setup that was killed', async () => {
    const gone = spawn(process.execPath, ['--version']);
    await new Promise((resolve) => gone.once('exit', resolve));
    await writeFile(join(clone, '.lynceus-setup.lock'), `${hostname()} ${gone.pid} token`);
    // Not by its age: by the end of its process.
    const nextYear = new Date(Date.now() + 365 * 86_400_000);
    await utimes(join(clone, '.lynceus-setup.lock'), nextYear, nextYear);
    await change("export function runCommandLine(): void { console.log('changed'); }\n");
    expect(await run()).toMatchObject({ stdout: 'changed\n' });
  });
});

test('what is bundled of a source that changes back is bundled again', async () => {
  const source = join(clone, 'packages/server/src/cli/main.ts');
  const text = await readFile(source, 'utf8');
  await writeFile(source, text.replace("words.join(' ')", "'changed'"));
  await promisify(execFile)(process.execPath, [join(clone, 'scripts/setup/bundle.mjs'), clone]);
  await writeFile(source, text);
  expect(await run(clone, 'say', 'it')).toMatchObject({ stdout: 'say it\n' });
});

describe('a build of everything, which the tests run on', () => {
  const buildAll = () =>
    promisify(execFile)(process.execPath, [
      ...['--input-type=module', '-e', 'await (await import(process.argv[1])).build(process.argv[2], "all")'],
      ...[join(clone, 'scripts/setup/build.mjs'), clone],
    ]);
  beforeEach(async () => {
    for (const name of ['test', 'bench', 'scripts/generate']) {
      await mkdir(join(clone, name));
      await cp(join(root, 'packages/client/tsconfig.json'), join(clone, name, 'tsconfig.json'));
      const settings = await readFile(join(clone, name, 'tsconfig.json'), 'utf8');
      await writeFile(
        join(clone, name, 'tsconfig.json'),
        settings.replace('../../', name.includes('/') ? '../../' : '../'),
      );
      await mkdir(join(clone, name, 'src'));
      await writeFile(join(clone, name, 'src', 'index.ts'), 'export const answer = 42;\n');
    }
  });

  test('has a file of each source, and none of one that was deleted', async () => {
    const dist = join(clone, 'packages/server/dist');
    await writeFile(join(clone, 'packages/server/src/old.ts'), 'export const old = 1;\n');
    await buildAll();
    expect(await readdir(dist)).toEqual(expect.arrayContaining(['old.js', 'index.js', 'bundle']));
    await rm(join(clone, 'packages/server/src/old.ts'));
    await buildAll();
    expect(await readdir(dist)).not.toContain('old.js');
    expect(await readFile(join(dist, 'index.js'), 'utf8')).toContain('42');
  });

  test('has what the client is made of the OpenAPI document', async () => {
    await writeFile(
      join(clone, 'packages/server/assets/openapi.json'),
      JSON.stringify({ components: { schemas: { Cat: { type: 'string' } } }, paths: {} }),
    );
    await buildAll();
    const types = await readFile(join(clone, 'packages/client/dist/generated/api-types.d.ts'), 'utf8');
    expect(types).toContain('export type Cat = string;');
  });

  test('checks the types, which a start does not', async () => {
    await writeFile(join(clone, 'packages/server/src/index.ts'), "export const answer: number = '42';\n");
    expect(await run(clone, 'say', 'it')).toMatchObject({ stdout: 'say it\n' });
    await expect(buildAll()).rejects.toMatchObject({ stderr: expect.stringContaining('TS2322') });
  });
});

describe('an unsuitable machine is reported', () => {
  const check = async (machine: object): Promise<void> => {
    const { checkMachine } = await import(join(root, 'scripts/setup/machine.mjs'));
    checkMachine(machine);
  };

  test.each(['18.20.4', '20.18.3', '16.0.0'])('Node %s is too old', async (version) => {
    await expect(check({ version })).rejects.toThrow(`needs Node 20.19 or newer; this is Node ${version}`);
  });

  test.each(['20.19.0', '20.20.2', '22.1.0', '24.0.0'])('Node %s will do', async (version) => {
    await check({ version });
  });

  test('Windows is sent to WSL', async () => {
    await expect(check({ platform: 'win32' })).rejects.toThrow('WSL 2');
  });
});
