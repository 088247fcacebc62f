import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let clone: string;

/** A clone in small: the real scripts and compiler, and two packages of one file each. Built once, then copied. */
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
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  for (const file of ['tsconfig.base.json', 'package-lock.json'])
    await cp(join(root, file), join(folder, file));
  await writeFile(join(folder, 'tsconfig.json'), '{ "files": [] }');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of ['engine', 'server', 'client', 'console']) {
    const place = join(folder, 'packages', name);
    await mkdir(join(place, 'src', 'cli'), { recursive: true });
    // The page's own settings want a bundler; here it is a package like the others, and what bundles it a line.
    const settings = name === 'console' ? 'client' : name;
    await cp(join(root, 'packages', settings, 'tsconfig.json'), join(place, 'tsconfig.json'));
    await writeFile(join(place, 'src', 'index.ts'), 'export const answer = 42;\n');
  }
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
  for (const name of ['typescript', '@types', 'undici-types']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  // What npm leaves behind, without our stamp: packages brought by hand with npm ci.
  await cp(join(root, 'node_modules/.package-lock.json'), join(folder, 'node_modules/.package-lock.json'));
}

const run = (folder = clone, ...words: string[]) =>
  promisify(execFile)(process.execPath, [join(folder, 'scripts', 'lynceus.mjs'), ...words]).catch(
    (failed: { stdout: string; stderr: string }) => ({ ...failed, failed: true }),
  );
const compiled = () => join(clone, 'packages/server/dist/bundle/lynceus.mjs');

test('the first command builds, and its output holds the answer alone', () => {
  expect(firstBuild).toMatchObject({ stdout: 'say it\n', stderr: '' });
});

describe('packages', () => {
  const installed = async (): Promise<unknown> => {
    const address = join(clone, 'scripts/setup/packages.mjs');
    const ask = `import(process.argv[1]).then((setup) => console.log(setup.packagesAreInstalled(process.argv[2])))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', ask, address, clone]);
    return JSON.parse(stdout);
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
});

describe('a built clone', () => {
  const change = (text: string) => writeFile(join(clone, 'packages/server/src/cli/main.ts'), text);

  test('is not built again for a file that was only touched', async () => {
    await writeFile(compiled(), "export const runCommandLine = () => console.log('as it was');");
    await utimes(join(clone, 'packages/server/src/cli/main.ts'), new Date(), new Date());
    expect(await run()).toMatchObject({ stdout: 'as it was\n' });
  });

  test('is built again when a source changed', async () => {
    await change("export function runCommandLine(): void { console.log('changed'); }\n");
    expect(await run()).toMatchObject({ stdout: 'changed\n' });
  });

  test('is built again when its output is gone', async () => {
    await rm(join(clone, 'packages/engine/dist/index.js'));
    await run();
    expect(await readFile(join(clone, 'packages/engine/dist/index.js'), 'utf8')).toContain('42');
  });

  test('loses the output of a source that was deleted', async () => {
    await writeFile(join(clone, 'packages/server/src/old.ts'), 'export const old = 1;\n');
    await run();
    expect(await readdir(join(clone, 'packages/server/dist'))).toContain('old.js');
    await rm(join(clone, 'packages/server/src/old.ts'));
    await run();
    expect(await readdir(join(clone, 'packages/server/dist'))).not.toContain('old.js');
  });

  test('that does not compile says where', async () => {
    await change('export const runCommandLine = ;\n');
    expect(await run()).toMatchObject({
      failed: true,
      stdout: '',
      stderr: expect.stringMatching(/cli\/main\.ts\(1,31\): error TS1109[\s\S]*The build failed/),
    });
  });

  test('is the same to the byte as what the tests run on, which is compiled with its types checked', async () => {
    const client = join(clone, 'packages/client');
    await rm(client, { recursive: true });
    await cp(join(root, 'packages/client/src'), join(client, 'src'), { recursive: true });
    await cp(join(root, 'packages/client/tsconfig.json'), join(client, 'tsconfig.json'));
    await run();
    const files = await readdir(join(client, 'dist'), { recursive: true });
    const scripts = files.filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(30);
    for (const name of scripts) {
      const tested = await readFile(join(root, 'packages/client/dist', name), 'utf8');
      expect(await readFile(join(client, 'dist', name), 'utf8'), name).toBe(tested);
    }
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
    // Its age would never tell: that its process is gone does.
    const nextYear = new Date(Date.now() + 365 * 86_400_000);
    await utimes(join(clone, '.lynceus-setup.lock'), nextYear, nextYear);
    await change("export function runCommandLine(): void { console.log('changed'); }\n");
    expect(await run()).toMatchObject({ stdout: 'changed\n' });
  });
});

describe('an unsuitable machine is told so', () => {
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
