import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { makeZip } from '#server/storage/archive/fixtures/make-zip.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample } from './support/sample.js';

const commandLine = new URL('../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;
const run = `process.exitCode = await (await import('${commandLine}')).runCommandLine(process.argv.slice(1))`;

describe.skipIf(!(await haveDefaultModels()))('many images at once', { timeout: 300_000 }, () => {
  let dir: string;
  let service: Service;
  let client: LynceusClient;
  let images: Buffer[];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-bulk-'));
    service = await startService({
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_RECOGNITION_PARTS: 'faces',
    });
    client = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
    const tilts = Array.from({ length: 10 }, (_, index) => 4 * index - 20);
    images = await Promise.all(
      tilts.map((tiltDeg) => drawFaces(240, 240, [{ x: 120, y: 120, unit: 5, tiltDeg }])),
    );
  });
  afterAll(async () => {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  });

  /** Starts the command; `onLine` hears each verdict. */
  const importing = (words: readonly string[], onLine: (pid: number) => void = () => undefined) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', run, 'faces', 'import', ...words], {
      cwd: dir,
      env: {
        ...process.env,
        LYNCEUS_DATA_DIR: join(dir, 'data'),
        LYNCEUS_INFERENCE_PROCESSES: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, notes] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      onLine(child.pid ?? 0);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      notes += text;
    });
    return new Promise<{ code: number | null; lines: string[]; table: string; notes: string }>((resolve) => {
      child.once('close', (code) => {
        const [lines = '', table = ''] = out.split('\n\n');
        resolve({ code, lines: lines.split('\n').filter(Boolean).sort(), table, notes });
      });
    });
  };
  const put = async (path: string, bytes: Buffer | string | undefined) => {
    await mkdir(join(dir, path, '..'), { recursive: true });
    await writeFile(join(dir, path), bytes ?? '');
  };
  const people = async (modelId: number) => {
    const found: Record<string, number> = {};
    for await (const { name, images } of client.people.list(modelId)) found[name] = images;
    return found;
  };

  test('a folder is enrolled beside a running service, whose next search finds everybody', async () => {
    await put('photos/staff/Ada/1.png', images[0]);
    await put('photos/staff/Ada/at sea/2.png', images[5]);
    await put('photos/staff/Zoë/1.png', images[9]);
    await put('photos/staff/Zoë/tree.jpg', sample);
    await put('photos/staff/Zoë/letter.jpg', 'Dear Zoë');
    const { code, lines, table, notes } = await importing([
      'photos',
      '--new',
      'staff',
      '--report',
      'r.jsonl',
    ]);
    const { modelId } = (/: (?<modelId>\d+)/.exec(notes)?.groups ?? {}) as { modelId?: string };
    expect(lines).toEqual([
      expect.stringMatching(/^staff\/Ada\/1\.png: added/),
      expect.stringMatching(/^staff\/Ada\/at sea\/2\.png: added/),
      expect.stringMatching(/^staff\/Zoë\/1\.png: added/),
      expect.stringMatching(/^staff\/Zoë\/letter\.jpg: not an image: the file is not an image/),
      'staff/Zoë/tree.jpg: no face found',
    ]);
    expect(table).toMatch(/^VERDICT +IMAGES\n.*no face found +1\nnot an image +1\n$/s);
    expect([code, notes]).toEqual([
      1,
      expect.stringContaining('2 of 5 images are not images of their person'),
    ]);

    expect(await people(Number(modelId))).toEqual({ Ada: 2, Zoë: 1 });
    for (const [image, name] of [
      [images[5], 'Ada'],
      [images[9], 'Zoë'],
    ] as const) {
      const { similar_faces } = await client.faces.search(image ?? sample, { modelId: modelId ?? '' });
      expect(similar_faces[0]).toMatchObject({ person_name: name, key_id: null });
    }
    const report = (await readFile(join(dir, 'r.jsonl'), 'utf8')).trim().split('\n');
    expect(report.map((line) => JSON.parse(line))).toContainEqual({
      path: 'staff/Zoë/tree.jpg',
      person: 'Zoë',
      verdict: 'no-face',
      image_id: null,
      advice: null,
    });
    expect((await stat(join(dir, 'r.jsonl'))).mode & 0o077).toBe(0);
  });

  test('what Ctrl-C stops goes on, and a zip of the same adds nothing', async () => {
    const { model_id } = await client.perceptions.create({ name: 'stopped' });
    for (const [index, image] of images.entries()) await put(`stop/Ada/${index}.png`, image);
    let interrupted = false;
    const first = await importing(['stop', '--into', String(model_id)], (pid) => {
      if (!interrupted) process.kill(pid, 'SIGINT');
      interrupted = true;
    });
    expect(first.code).toBe(1);
    expect(first.notes).toContain(`to continue: faces import stop --into ${model_id}`);
    expect(first.lines.length).toBeLessThan(images.length);
    expect(await people(model_id)).toEqual({ Ada: first.lines.length });

    const second = await importing(['stop', '--into', String(model_id)]);
    expect([second.code, second.lines.length]).toEqual([0, images.length]);
    const already = second.lines.filter((line) => line.endsWith(': there already'));
    expect(already).toHaveLength(first.lines.length);
    expect(await people(model_id)).toEqual({ Ada: images.length });

    await put('a.zip', makeZip(images.map((bytes, index) => ({ name: `x/Ada/${index}.png`, bytes }))));
    const third = await importing(['a.zip', '--into', String(model_id)]);
    expect([third.code, third.lines.length]).toEqual([0, images.length]);
    expect(await people(model_id)).toEqual({ Ada: images.length });
  });

  test('killed in the midst and run again, every image is there once', async () => {
    const { model_id } = await client.perceptions.create({ name: 'killed' });
    for (const [index, image] of images.entries()) {
      await put(`kill/${index % 2 ? 'Ada' : 'Bob'}/${index}.png`, image);
    }
    for (const atLine of [1, 3]) {
      let heard = 0;
      const killed = await importing(['kill', '--into', String(model_id)], (pid) => {
        heard += 1;
        if (heard === atLine) process.kill(pid, 'SIGKILL');
      });
      expect(killed.code).toBeNull();
    }
    expect((await importing(['kill', '--into', String(model_id)])).code).toBe(0);
    expect(await people(model_id)).toEqual({ Ada: 5, Bob: 5 });
    const ids: number[] = [];
    for await (const { id } of client.faceImages.list({ modelId: model_id })) ids.push(id);
    expect(ids).toHaveLength(images.length);
    for (const id of ids) {
      expect((await client.faceImages.readContent(id)).size).toBeGreaterThan(1000);
    }
  });

  test('folders that may be two people are refused with words, and the rest is added', async () => {
    const { model_id } = await client.perceptions.create({ name: 'two' });
    await put('two/day/Ada/1.png', images[0]);
    await cp(join(dir, 'two/day'), join(dir, 'two/night'), { recursive: true });
    await put('two/Bob/1.png', images[9]);
    const { code, lines } = await importing(['two', '--into', String(model_id)]);
    expect(lines).toEqual([
      expect.stringMatching(/^Bob\/1\.png: added/),
      expect.stringMatching(/^day\/Ada\/1\.png: refused: two folders have this name/),
      expect.stringMatching(/^night\/Ada\/1\.png: refused: two folders have this name/),
    ]);
    expect(code).toBe(1);
    expect(await people(model_id)).toEqual({ Bob: 1 });
  });
});
