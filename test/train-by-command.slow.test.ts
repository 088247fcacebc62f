import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { drawShape, shapes } from './support/drawn-shapes.js';

const commandLine = new URL('../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;
const run = `process.exitCode = await (await import('${commandLine}')).runCommandLine(process.argv.slice(1))`;

describe.skipIf(!(await haveDefaultModels()))('lynceus custom train', { timeout: 300_000 }, () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-train-'));
    await drawInto('shapes', 8, 0);
    await lynceus(['accounts', 'create', 'house']);
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  /** So many images of each shape, none of which other seeds draw. */
  const drawInto = async (folder: string, images: number, seed: number) => {
    for (const [label, shape] of shapes.entries()) {
      await mkdir(join(dir, folder, shape), { recursive: true });
      for (let count = 0; count < images; count += 1) {
        const image = await drawShape(shape, seed + label * 100 + count);
        await writeFile(join(dir, folder, shape, `${count}.png`), image);
      }
    }
  };
  /** Starts the command; it is interrupted as by Ctrl-C when it notes this. */
  const lynceus = async (words: readonly string[], stopAt?: RegExp) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', run, ...words], {
      cwd: dir,
      env: { ...process.env, LYNCEUS_DATA_DIR: join(dir, 'data'), LYNCEUS_INFERENCE_PROCESSES: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, notes] = ['', ''];
    let isStopped = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      notes += text;
      if (isStopped || !stopAt?.test(notes)) return;
      isStopped = true;
      child.kill('SIGINT');
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, out, notes };
  };
  const custom = (words: readonly string[], stopAt?: RegExp) =>
    lynceus(['custom', ...words, '--account', 'house'], stopAt);

  test('goes from a folder a class to a model that predicts, with what it measured', async () => {
    const trained = await custom(['train', 'shapes', '--name', 'Shapes']);
    expect([trained.code, trained.out, trained.notes]).toEqual([
      0,
      expect.stringMatching(
        /Dataset 1001 "Shapes": 24 images added.*\nLabels: 24 read, 24 taken.*\naccuracy [\d.]+ % \(95 %: .*\), balanced [\d.]+ %\nmeasured on \d+ images .*\nModel 1001 "Shapes" has version 1\n/,
      ),
      // Looked at once a second: a quick machine shows no more than one of them.
      expect.stringMatching(/training: (features|training|measuring|writing)\n/),
    ]);
    expect((await custom(['versions', '1001'])).out).toMatch(/1\* +training/);
    expect((await custom(['export', '1001', 'out.onnx'])).code).toBe(0);
    expect((await stat(join(dir, 'out.onnx'))).size).toBeGreaterThan(10_000_000);
  });

  test('that is interrupted is cancelled and says so, and leaves no version, draft or empty model', async () => {
    // So many that it is at their features for seconds.
    await drawInto('more', 16, 1000);
    const models = async () => (await custom(['list'])).out.match(/^10\d\d /gm);
    const before = await models();
    const stopped = await custom(['train', 'more'], /training: features/);
    expect([stopped.code, stopped.notes]).toEqual([1, expect.stringMatching(/training was cancelled/)]);
    expect(await models()).toEqual(before);
    expect(await readdir(join(dir, 'data', 'custom-models', 'drafts'))).toEqual([]);
    expect((await custom(['cancel', '1001'])).notes).toMatch(/Model 1001 is not being trained/);
  });

  test('leaves it to a service that runs, and goes on there after Ctrl-C', async () => {
    const service = await startService({
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_INFERENCE_PROCESSES: '1',
    });
    try {
      const words = ['train', '--dataset', '1002', '--into', '1001', '--seed', '2', '--no-activate'];
      const left = await custom(words, /training: (features|training|measuring)/);
      expect([left.code, left.out]).toEqual([
        0,
        expect.stringMatching(
          /The service continues the training run of model 1001; to end it: custom cancel/,
        ),
      ]);
      // A command at every look would take the cores that the training wants.
      while ((await readdir(join(dir, 'data', 'custom-models'))).length < 3) await sleep(300);
      await expect.poll(async () => (await custom(['versions', '1001'])).out).toMatch(/^2 /m);
      expect((await custom(['versions', '1001'])).out).toMatch(/^2 +training[\s\S]*^1\* /m);
    } finally {
      await service.stop();
    }
  });
});
