import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveDefaultModels } from '../support/default-models.js';
import { type Example, startCompreFace } from './compreface.js';

const script = fileURLToPath(new URL('../../../scripts/from-compreface.mjs', import.meta.url));
const program = fileURLToPath(new URL('../../from-compreface/program.mjs', import.meta.url));
const key: string = randomUUID();
const haveModels = await haveDefaultModels();
const drawFace = (tiltDeg: number) => drawFaces(240, 240, [{ x: 120, y: 120, unit: 5, tiltDeg }]);

interface Ended {
  readonly code: number;
  readonly out: string;
}

describe('moving from CompreFace', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-compreface-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const fetchInto = (folder: string, url: string, withKey = key) =>
    new Promise<Ended>((resolve) => {
      const env = { ...process.env, COMPREFACE_KEY: withKey };
      execFile(process.execPath, [script, url, folder], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr }),
      );
    });
  const example = (subject: string, bytes: Buffer): Example => ({ imageId: randomUUID(), subject, bytes });
  const filesIn = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test('every image comes into the folder of its subject, byte by byte, page after page', async () => {
    const examples = await Promise.all(
      [0, 4, 8, 12, 16, 20, 24].map(async (tilt, index) =>
        example(index < 4 ? 'Ada' : 'Grace Hopper', await drawFace(tilt)),
      ),
    );
    const remote = await startCompreFace({ key, subjects: ['Ada', 'Grace Hopper', 'Nobody'], examples });
    const { code, out } = await fetchInto(dir, remote.url);
    await remote.stop();
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('2 subjects; 7 fetched') });
    expect(out).toContain('without an example: "Nobody"');
    for (const { imageId, subject, bytes } of examples)
      expect(await readFile(join(dir, subject, `${imageId}.png`))).toEqual(bytes);
    expect(out).not.toContain(key);
  });

  test('run again, it fetches what is missing and nothing else, also after the far side failed', async () => {
    const examples = [example('Ada', await drawFace(0)), example('Ada', await drawFace(5))];
    const remote = await startCompreFace({ key, subjects: ['Ada'], examples, failing: 1 });
    expect(await fetchInto(dir, remote.url)).toMatchObject({ code: 0 });
    await rm(join(dir, 'Ada', `${examples[1]?.imageId}.png`));
    remote.asked.length = 0;
    const { out } = await fetchInto(dir, remote.url);
    await remote.stop();
    expect(out).toContain('1 fetched, 1 there already');
    expect(remote.asked.filter((path) => path.endsWith('/img'))).toHaveLength(1);
  });

  test('no name of a subject leads out of the folder, is hidden, or meets another', async () => {
    const face = await drawFace(0);
    const names = [
      '../../outside',
      '..',
      '.hidden',
      'a/b',
      'a\\b',
      'A_B',
      '\u0000',
      ' ',
      'x'.repeat(400),
      'é'.repeat(300),
    ];
    const remote = await startCompreFace({
      key,
      subjects: names,
      examples: names.map((name) => example(name, face)),
    });
    const { code, out } = await fetchInto(join(dir, 'out'), remote.url);
    await remote.stop();
    expect({ code, out }).toMatchObject({ code: 0 });
    const files = await filesIn(dir);
    expect(files.filter((path) => !path.startsWith(join(dir, 'out', '/')))).toEqual([]);
    const folders = await readdir(join(dir, 'out'));
    expect(folders).toHaveLength(names.length);
    expect(folders.filter((name) => name.startsWith('.'))).toEqual([]);
    expect(files).toHaveLength(names.length);
  });

  test('what CompreFace did not keep, and what is not an image, is reported and fails the run', async () => {
    const examples = [example('Ada', Buffer.alloc(0)), example('Ada', Buffer.from('<html>'))];
    const remote = await startCompreFace({ key, subjects: ['Ada'], examples });
    const { code, out } = await fetchInto(dir, remote.url);
    await remote.stop();
    expect(code).toBe(1);
    expect(out).toContain('1 not kept by CompreFace, 1 no image');
  });

  test('a wrong key and a wrong address say what to fix', async () => {
    const remote = await startCompreFace({ key, subjects: [], examples: [] });
    const wrong = await fetchInto(dir, remote.url, 'wrong');
    await remote.stop();
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('is COMPREFACE_KEY the key') });
    expect(await fetchInto(dir, 'photos')).toMatchObject({ code: 1, out: expect.stringContaining('Use: ') });
  });

  test.skipIf(!haveModels)('faces import makes a person of each subject', async () => {
    const images = await Promise.all([-16, -8, 0, 8].map(drawFace));
    const examples = images.map((bytes, index) => example(index < 2 ? 'Ada' : 'Grace Hopper', bytes));
    const remote = await startCompreFace({ key, subjects: ['Ada', 'Grace Hopper'], examples });
    const folder = join(dir, 'photos');
    expect(await fetchInto(folder, remote.url)).toMatchObject({ code: 0 });
    await remote.stop();
    const settings = { LYNCEUS_DATA_DIR: join(dir, 'data'), LYNCEUS_INFERENCE_PROCESSES: '1' };
    await runCommand(['keys', 'create', '--account', 'default', '--json'], settings);
    const said = await runCommand(['faces', 'import', folder, '--new', 'staff'], settings);
    const verdicts = said.split('\n').filter((line) => /^(Ada|Grace Hopper)\//.test(line));
    expect(verdicts).toHaveLength(4);
    expect(verdicts.filter((line) => !/added/.test(line))).toEqual([]);
  });

  test.skipIf(!haveModels)(
    'after it, a program of CompreFace works with another address and key',
    { timeout: 120_000 },
    async () => {
      const [ada, second, grace] = await Promise.all([-8, 0, 24].map(drawFace));
      if (!ada || !second || !grace) throw new Error('nothing was drawn');
      const examples = [example('Ada', ada), example('Ada', second), example('Grace', grace)];
      const remote = await startCompreFace({ key, subjects: ['Ada', 'Grace'], examples, named: 'Ada' });
      const image = join(dir, 'image.png');
      await writeFile(image, ada);
      const run = async (base: string, withKey: string) => {
        const env = { ...process.env, BASE: base, KEY: withKey, IMAGE: image, no_proxy: '127.0.0.1' };
        const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
        // The SDK prints addresses as it goes.
        return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      };
      const before = await run(remote.url, key);
      expect(before).toEqual({ subjects: ['Ada', 'Grace'], images: 3, who: ['Ada'] });
      expect(await fetchInto(join(dir, 'photos'), remote.url)).toMatchObject({ code: 0 });
      await remote.stop();
      const service = await startService({ LYNCEUS_RECOGNITION_PARTS: 'faces' });
      onTestFinished(() => service.stop());
      const here = { LYNCEUS_DATA_DIR: service.dataDir, LYNCEUS_INFERENCE_PROCESSES: '1' };
      await runCommand(['faces', 'import', join(dir, 'photos'), '--new', 'staff'], here);
      const listed = await fetch(`${service.url}/api/perceptions`, { headers: { 'x-api-key': service.key } });
      const [staff] = JSON.parse(await listed.text()).data;
      const made = await runCommand(
        ['keys', 'compat', 'compreface', '--perception', staff.uid, '--json'],
        here,
      );
      expect(await run(service.url, JSON.parse(made).key)).toEqual(before);
    },
  );
});
