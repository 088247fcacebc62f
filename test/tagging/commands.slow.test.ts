import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presentBundle } from '#bench/single-service.js';
import { haveExiftool, havePerl, listByExiftool } from '../keywords/keyword-trial.js';
import { haveDefaultModels } from '../support/default-models.js';
import { sample, samplePath } from '../support/sample.js';

/** Runs the command line, with an image on its standard input. */
async function lynceus(cwd: string, ...words: readonly string[]) {
  const script = `process.exitCode = await (await import('${presentBundle}')).runCommandLine(process.argv.slice(1))`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...words], {
    cwd,
    // Of clients that wait, which commands have none of.
    env: { ...process.env, LYNCEUS_DATA_DIR: join(cwd, 'data'), LYNCEUS_REQUEST_TIMEOUT_MS: '100' },
  });
  createReadStream(samplePath)
    .pipe(child.stdin)
    .on('error', () => undefined);
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** A block of a disk that was lost. */
function zerosInside(jpeg: Buffer): Buffer {
  return Buffer.from(jpeg).fill(0, jpeg.length / 2, jpeg.length - 1000);
}

describe.skipIf(!havePerl || !haveExiftool || !(await haveDefaultModels()))('commands on many images', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lynceus-commands-'));
    await mkdir(join(folder, 'images', 'inner'), { recursive: true });
    await cp(samplePath, join(folder, 'images', 'b.jpg'));
    await cp(samplePath, join(folder, 'images', 'inner', 'c.jpg'));
    await writeFile(join(folder, 'images', 'a.jpg'), sample.subarray(0, 9000));
    await writeFile(join(folder, 'images', 'notes.txt'), 'no image');
    await mkdir(join(folder, 'transferred'));
    await writeFile(join(folder, 'transferred', 'd.jpg'), zerosInside(sample));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('predict answers for each in order, by name; one that fails does not end the others, and the exit code says so', async () => {
    await writeFile(join(folder, 'list'), 'images/b.jpg\nmissing.jpg\n');
    const words = ['--model', 'coco-fast', '--files-from', 'list', '--recursive', '--format', 'csv'];
    const { code, stdout, stderr } = await lynceus(folder, 'predict', 'images', '-', ...words);
    const rows = stdout
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(
      rows.map(([name, kind, label, , , , , , error]) => [name, kind, label, (error ?? '') !== '']),
    ).toEqual([
      ['file', 'kind', 'label', true],
      ['images/a.jpg', '', '', true],
      ['images/b.jpg', 'object', 'stop sign', false],
      ['images/inner/c.jpg', 'object', 'stop sign', false],
      // As a spreadsheet would take it for a formula.
      ["'-", 'object', 'stop sign', false],
      ['images/b.jpg', 'object', 'stop sign', false],
      ['missing.jpg', '', '', true],
    ]);
    expect(stderr).toMatch(/missing\.jpg: There is no file missing\.jpg\n.*2 of 6 images failed/s);
    expect(code).toBe(1);
  });

  test('tag writes what recognition finds, and undoes it', async () => {
    const tagged = await lynceus(folder, 'tag', 'images', '--model', 'coco-fast', '-r', '--json');
    const lines = tagged.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const keywords = ['stop sign'];
    expect(lines.sort((one, other) => (one.file < other.file ? -1 : 1))).toMatchObject([
      {
        file: 'a.jpg',
        outcome: 'failed',
        reason: expect.stringMatching(/^the image is truncated or damaged, at least 86 % of its pixels: /),
      },
      { file: 'b.jpg', outcome: 'tagged', keywords },
      { file: 'inner/c.jpg', outcome: 'tagged', keywords },
    ]);
    expect([tagged.code, tagged.stderr]).toEqual([1, expect.stringContaining('1 failed')]);
    const path = join(folder, 'images', 'inner', 'c.jpg');
    expect(listByExiftool(path, 'IPTC:Keywords')).toEqual(keywords);
    const undone = await lynceus(folder, 'tag', 'images', '--recursive', '--undo');
    expect(undone.stdout).toMatch(/b\.jpg: undone: stop sign\ninner\/c\.jpg: undone.*\nundone +2\n$/s);
    expect(await readFile(path)).toEqual(sample);
  });

  test('tag refuses damaged pixels that decoders ignore', async () => {
    const { stdout } = await lynceus(folder, 'tag', 'transferred', '--model', 'coco-fast', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'd.jpg',
      outcome: 'failed',
      reason: expect.stringMatching(/^the image is truncated or damaged, at least \d+ % of its pixels/),
    });
  });

  test('tag without images says that there are folders, also when it is to undo', async () => {
    await mkdir(join(folder, 'years', '2025'), { recursive: true });
    await mkdir(join(folder, 'years', '2026'));
    await writeFile(join(folder, 'years', 'notes.txt'), 'no image');
    const words = ' in the folder itself; it has 2 folders: add --recursive\n';
    const tagged = await lynceus(folder, 'tag', 'years', '--model', 'coco-fast');
    expect([tagged.code, tagged.stdout]).toEqual([0, `no images${words}`]);
    const undone = await lynceus(folder, 'tag', 'years', '--undo');
    expect([undone.code, undone.stdout]).toEqual([0, `nothing to undo${words}`]);
  });

  test('a trial of many images opens work for all of them', async () => {
    const many = join(folder, 'many');
    await mkdir(many);
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']) await cp(samplePath, join(many, name));
    await writeFile(join(many, 'e.jpg'), 'no image');
    const words = ['--dry-run', '--settle', '1', '--model', 'coco-fast'];
    const { code, stdout } = await lynceus(folder, 'tag', 'many', ...words);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\ntagged +4\npassed over +1\n$/)]);
  });
});
