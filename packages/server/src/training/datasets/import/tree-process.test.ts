import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../../core/fixtures/cpu-between-turns.js';
import { isDiskFullHere } from '../../../service/jobs/retries.js';
import { makeZip } from '../../../storage/archive/fixtures/make-zip.js';
import { FormatError } from '../formats/plan.js';
import { startTreeProcess } from './tree-process.js';

// Linux has a file on a disk that is always full.
test.runIf(process.platform === 'linux')('a full disk reaches the job as one', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-tree-'));
  const tree = await startTreeProcess(new AbortController().signal);
  onTestFinished(async () => {
    await tree.close();
    await rm(dir, { recursive: true });
  });
  const path = join(dir, 'a.zip');
  await writeFile(path, makeZip([{ name: 'cat/1.jpg', bytes: Buffer.from('an image') }]));
  await tree.ask({ ask: 'plan', location: { kind: 'zip', path }, format: null });
  const extracting = tree.ask({ ask: 'extract', path: 'cat/1.jpg', toPath: '/dev/full', maxBytes: 1000 });
  const error: unknown = await extracting.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'ENOSPC' });
  expect(isDiskFullHere(new Error('in the words for its owner', { cause: error }))).toBe(true);
});

test('names that may be wrong are in a finding of the import', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-tree-'));
  const tree = await startTreeProcess(new AbortController().signal);
  onTestFinished(async () => {
    await tree.close();
    await rm(dir, { recursive: true });
  });
  const path = join(dir, 'a.zip');
  const name = Buffer.from('\xaa\xae\xe2/1.jpg', 'latin1');
  await writeFile(path, makeZip([{ name, bytes: Buffer.from('an image') }]));
  await tree.ask({ ask: 'plan', location: { kind: 'zip', path }, format: null });
  expect(await tree.ask({ ask: 'findings', from: 0 })).toContainEqual(
    expect.objectContaining({ problem: 'encoding', file: '¬«Γ/1.jpg' }),
  );
});

/** COCO whose outermost object holds, before its images, so many bytes of a text again and again. */
function cocoWith(head: string, piece: string, bytes: number, tail: string): Buffer {
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, piece),
    Buffer.from(tail),
  ]);
}
const mebibytes = 2 ** 20;
const rest = '"images": [{"id": 1, "file_name": "1.jpg"}], "categories": [{"id": 1, "name": "cat"}]';
const labels = '"annotations": [{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}]';
const limits = { maxRssBytes: 512 * mebibytes, maxCpuMs: 60_000, timeoutMs: 120_000 };
/** For tests of memory: on a busy machine a process of low priority takes minutes. */
const busyMs = 600_000;
const unhurried = { ...limits, maxCpuMs: busyMs, timeoutMs: busyMs };

/** A process, and a zip with an image and this file of annotations. */
async function openZip(coco: Buffer, given = limits, signal = new AbortController().signal) {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-tree-'));
  const tree = await startTreeProcess(signal, given);
  onTestFinished(async () => {
    await tree.close();
    await rm(dir, { recursive: true });
  });
  const path = join(dir, 'a.zip');
  await writeFile(
    path,
    makeZip([
      { name: '1.jpg', bytes: Buffer.from('an image') },
      { name: 'annotations/instances.json', bytes: coco },
    ]),
  );
  return { tree, path };
}

async function planOf(...given: Parameters<typeof openZip>) {
  const { tree, path } = await openZip(...given);
  const plan = await tree.ask({ ask: 'plan', location: { kind: 'zip', path }, format: null });
  const classes = await tree.ask({ ask: 'classes', from: 0 });
  return { ...plan, classes, findings: await tree.ask({ ask: 'findings', from: 0 }) };
}

test.each([
  ['beside the lists', `{"info": [`, '[],', `1], ${rest}, ${labels}}`],
  ['in the categories', `{"images": [], "categories": [[`, '[],', `1]]}`],
  ['as annotations', `{${rest}, "annotations": [`, '[],', `1]}`],
])(
  '6 MiB of empty lists %s are read within 128 MiB of memory, or refused',
  async (_place, head, piece, tail) => {
    const small = { ...unhurried, maxRssBytes: 128 * mebibytes };
    const outcome = await planOf(cocoWith(head, piece, 6 * mebibytes, tail), small).catch(
      (error: unknown) => error,
    );
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(FormatError);
      expect(outcome.message).not.toContain('limit');
    } else expect(outcome).toMatchObject({ format: 'coco', images: 1, classes: ['cat'] });
  },
  busyMs,
);

const label = '{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]},';
const labelsOf = (bytes: number) =>
  cocoWith(`{${rest}, "annotations": [`, label, bytes, label.replace(/,$/, ']}'));
const many = () => labelsOf(8 * mebibytes);

test.runIf(process.platform === 'linux').each([
  ['memory', { maxRssBytes: 60 * mebibytes }, '60 MiB of memory'],
  ['processor time', { maxCpuMs: 50 }, '0.05 s of processor time'],
  ['time', { timeoutMs: 50 }, '0.05 s'],
])(
  'a process above its limit of %s is killed, and the owner of the files is told which',
  async (_name, given, words) => {
    const error: unknown = await planOf(many(), { ...limits, ...given }).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
  },
);

test('many classes and findings of long names reach the service in messages that it reads in less than 20 ms', async () => {
  const long = (at: number) => `${'x'.repeat(490)}${at}`;
  const coco = JSON.stringify({
    images: [{ id: 1, file_name: '1.jpg' }],
    categories: Array.from({ length: 10_000 }, (_, at) => ({ id: at, name: long(at) })),
    annotations: Array.from({ length: 6000 }, (_, at) => ({ image_id: 1, category_id: long(at) })),
  });
  const { tree, path } = await openZip(Buffer.from(coco));
  const [names, problems]: [string[], string[]] = [[], []];
  const { most } = await mostCpuBetweenTurns(async () => {
    for (const list of [names, problems]) list.length = 0;
    const plan = await tree.ask({ ask: 'plan', location: { kind: 'zip', path }, format: null });
    expect([plan.classes, plan.findings]).toEqual([10_000, 5001]);
    while (names.length < plan.classes)
      names.push(...(await tree.ask({ ask: 'classes', from: names.length })));
    while (problems.length < plan.findings) {
      const portion = await tree.ask({ ask: 'findings', from: problems.length });
      problems.push(...portion.map(({ problem }) => problem));
    }
  });
  expect(most).toBeLessThan(20);
  expect(new Set(names).size).toBe(10_000);
  expect(new Set(problems)).toEqual(new Set(['unknown-class']));
});

test('a request ends at once when the signal fires', async () => {
  const cancel = new AbortController();
  const planning = planOf(many(), limits, cancel.signal);
  cancel.abort(new Error('canceled'));
  await expect(planning).rejects.toThrow('canceled');
});

test('an image with many labels is sent with as many as one message takes, and the owner is told', async () => {
  const { findings } = await planOf(labelsOf(2 ** 18));
  expect(findings).toContainEqual(
    expect.objectContaining({
      problem: 'too-many-labels',
      message: expect.stringContaining('2000 are read'),
    }),
  );
});
