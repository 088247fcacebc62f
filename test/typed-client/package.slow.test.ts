import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { imageBytes } from '@lynceus/server/dist/http/fixtures/bodies.js';
import { startTestService, type TestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StandIn, startStandIn } from './stand-in.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'packages/client');
const maxBytes = 12_000;
/** Checking all declarations takes a busy machine a while. */
const compileTimeoutMs = 120_000;

const readme = await readFile(join(source, 'README.md'), 'utf8');
const blocksOf = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);
/** The first one makes the client and opens the image for the others. */
const [opening = '', ...examples] = blocksOf('js');

describe('the package as it is published', () => {
  /** A program that has installed the package and nothing else. */
  let folder: string;
  let service: TestService;
  let images: StandIn;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lynceus-client-'));
    await mkdir(join(folder, 'node_modules/@lynceus'), { recursive: true });
    await run('npm', ['pack', '--pack-destination', folder], { cwd: source });
    const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', packed], { cwd: folder });
    await run('mv', ['package', 'node_modules/@lynceus/client'], { cwd: folder });
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'dog.jpg'), imageBytes(3000));
    service = await startTestService();
    images = await startStandIn((_request, response) => response.end(imageBytes(3000)));
  });
  afterAll(async () => {
    await service?.stop();
    await images?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('has what it needs and no more', async () => {
    const files = await readdir(join(folder, 'node_modules/@lynceus/client'), { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']),
    );
    // A map of the sources is of use with the sources alone.
    for (const map of files.filter((name) => name.endsWith('.js.map'))) {
      expect(files).toContain(map.replace(/^dist/, 'src').replace(/\.js\.map$/, '.ts'));
    }
    expect(files.filter((name) => /test|tsbuildinfo|tsconfig/.test(name))).toEqual([]);
  });

  test.each(examples.map((code, index) => [index, code] as const))(
    'runs example %i of its README',
    async (index, code) => {
      const program = `${opening}\n${code}`
        .replaceAll('http://127.0.0.1:8080', service.base)
        .replaceAll('lyn_your-key', service.key)
        .replaceAll('https://images.example', images.url);
      await writeFile(join(folder, `example-${index}.js`), program);
      const { stdout, stderr } = await run(process.execPath, [`example-${index}.js`], { cwd: folder });
      expect([stdout.trim().length > 0, stderr]).toEqual([true, '']);
    },
  );

  test.each([
    ['Node', { module: 'node16', lib: ['es2022'], types: ['node'] }, [opening, ...examples]],
    [
      'a bundler',
      { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
      blocksOf('ts'),
    ],
  ])(
    'has types for %s that the examples keep to',
    async (kind, options, blocks) => {
      const of = join(folder, kind.replace(' ', '-'));
      await mkdir(of);
      for (const [index, code] of blocks.entries()) {
        const isFirst = index === 0;
        await writeFile(join(of, `example-${index}.ts`), isFirst ? code : `${opening}\n${code}`);
      }
      const compilerOptions = {
        ...options,
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        // The package's own declarations are checked as well.
        skipLibCheck: false,
        typeRoots: [join(root, 'node_modules/@types')],
      };
      await writeFile(join(of, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const { stdout } = await run(process.execPath, [tsc, '-p', of]).catch((error) => error);
      expect(stdout).toBe('');
    },
    compileTimeoutMs,
  );

  test(`is at most ${maxBytes} bytes in a page, minified and compressed`, async () => {
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      build: {
        write: false,
        target: 'es2022',
        rollupOptions: {
          input: join(folder, 'node_modules/@lynceus/client/dist/index.js'),
          preserveEntrySignatures: 'strict',
        },
      },
    });
    const [chunk] = 'output' in built ? built.output : [];
    if (chunk?.type !== 'chunk') throw new Error('nothing was built');
    expect(chunk.imports).toEqual([]);
    expect(chunk.exports.sort()).toEqual([
      ...['LynceusError', 'auditActions', 'createLynceusClient', 'labelsChangedTo'],
    ]);
    expect(gzipSync(chunk.code).length).toBeLessThanOrEqual(maxBytes);
    expect(readme).toContain(`less than ${maxBytes / 1000} kB`);
  });
});
