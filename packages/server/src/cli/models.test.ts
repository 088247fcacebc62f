import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallProgress } from './install-progress.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-models-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const printed: string[] = [];
  const noted: string[] = [];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_MODELS_DIR: join(folder, 'models'), LYNCEUS_DATA_DIR: join(folder, 'data') },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}

test('models list shows what there is, what is installed and under which licence', async () => {
  const { code, printed } = await lynceus('models', 'list');
  expect(code).toBe(0);
  expect(printed).toMatch(/ID +FAMILY +SET +INSTALLED +SIZE +LICENCE/);
  expect(printed).toMatch(/coco-ssd +detector +default +- +18\.6 MB +Apache-2\.0/);
});

test('models list --json answers one list', async () => {
  const list: unknown = JSON.parse((await lynceus('models', 'list', '--json')).printed);
  expect(list).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: 'inception-v3', installed: null })]),
  );
});

test('models show prints what is known of a model and what is not', async () => {
  const { printed } = await lynceus('models', 'show', 'centernet-coco');
  expect(printed).toContain('github.com/610265158/mobilenetv3_centernet');
  expect(printed).toMatch(/what is not known\n {2}- Under which licence the original author/);
});

test('models show prints how 8-bit weights are run on this CPU', async () => {
  const { printed } = await lynceus('models', 'show', 'inception-v3');
  expect(printed).toMatch(/^Arithmetic +8-bit weights (as they are|made unsigned on loading)/m);
  expect((await lynceus('models', 'show', 'coco-ssd')).printed).toMatch(/^Arithmetic +floats$/m);
});

test('looking changes nothing on the disk', async () => {
  await lynceus('models', 'list');
  await lynceus('models', 'show', 'coco-ssd');
  await lynceus('models', 'verify');
  expect(await readdir(folder)).toEqual([]);
});

test('a model that does not exist is refused with the list of those that do', async () => {
  for (const command of ['show', 'install', 'remove', 'verify']) {
    const { code, noted } = await lynceus('models', command, 'cats');
    expect(code).toBe(1);
    expect(noted).toMatch(/no model "cats" in the catalogue; there are .*coco-ssd/);
  }
});

test('verify fails for a model that is missing, and says how to bring it', async () => {
  const { code, printed, noted } = await lynceus('models', 'verify', 'coco-ssd');
  expect(code).toBe(1);
  expect(printed).toMatch(/coco-ssd +missing/);
  expect(noted).toContain('models install --repair coco-ssd');
});

test('an entry that cannot be used is noted in one line beside the answer, and is removed', async () => {
  await mkdir(join(folder, 'models', 'entries'), { recursive: true });
  await writeFile(join(folder, 'models', 'entries', 'e1.json'), '{"title": ""}');
  const listed = await lynceus('models', 'list');
  expect([listed.code, listed.printed]).toEqual([0, expect.stringContaining('coco-ssd')]);
  expect(listed.noted.split('\n')[0]).toMatch(
    /entries\/e1\.json: .* left out\. Remove it with: models remove e1/,
  );
  expect((await lynceus('models', 'remove', 'e1')).printed).toBe('Removed: e1.');
  expect((await lynceus('models', 'list')).noted).not.toContain('e1');
});

test('a file that is no bundle is refused', async () => {
  const { code, noted } = await lynceus('models', 'import', join(folder, 'absent.tar'));
  expect(code).toBe(1);
  expect(noted).toContain('There is no file');
});

describe('progress', () => {
  const steps = [
    { model: 'm', stage: 'fetching', bytesDone: 0, bytesTotal: 10_000_000 },
    { model: 'm', stage: 'fetching', bytesDone: 4_000_000, bytesTotal: 10_000_000 },
    { model: 'm', stage: 'converting', bytesDone: 0, bytesTotal: 0 },
    { model: 'm', stage: 'installed', bytesDone: 0, bytesTotal: 0 },
  ] as const;

  function shown(isTTY: boolean): string {
    let text = '';
    const view = createInstallProgress({ isTTY, columns: 100, write: (part) => (text += part) });
    for (const step of steps) view.show(step);
    view.close();
    return text;
  }

  test('without a terminal is one line a step', () => {
    expect(shown(false)).toBe('m: fetching 10.0 MB\nm: converting\nm: installed\n');
  });

  test('on a terminal is a bar that ends full', () => {
    const text = shown(true);
    expect(text).toMatch(/█{24} 100 %.*m: installed\n$/);
    expect(text.split('\n')).toHaveLength(2);
  });
});
