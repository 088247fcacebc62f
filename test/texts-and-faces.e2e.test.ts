import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLynceusClient, type RecogniseOptions, type Recognition } from '@lynceus/client';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { lettering } from './support/lettering.js';
import { sample, upload } from './support/sample.js';

const commandLine = new URL('../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;
const { runCommandLine }: { runCommandLine: (words: string[], context: object) => Promise<number> } =
  await import(commandLine);

describe.skipIf(!(await haveDefaultModels()))('texts and faces', () => {
  let print: Buffer;
  let service: Service;
  const others: Service[] = [];
  beforeAll(async () => {
    print = await lettering([
      { text: 'Platform 12', left: 90, top: 70 },
      { text: 'Exit', left: 540, top: 70 },
      { text: 'Tickets from 7.30', left: 90, top: 240 },
    ]);
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '2' });
  });
  afterEach(() => Promise.all(others.splice(0).map((other) => other.stop())));
  afterAll(() => service.stop());

  const recognise = (image: Buffer, options: RecogniseOptions = {}, { url, key } = service) =>
    createLynceusClient({ baseUrl: url, apiKey: key }).recognise(image, options);
  /** The answer as it is written, byte for byte. */
  const recogniseAsText = async (image: Buffer, { url, key } = service) => {
    const answer = await fetch(`${url}/predict/image?apikey=${key}`, {
      method: 'POST',
      body: upload(image),
    });
    expect(answer.status).toBe(200);
    return await answer.text();
  };
  const withoutFileId = (text: string) => text.replace(/"fileid": "\w+"/, '');
  const other = async (settings: Record<string, string>) => {
    const started = await startService(settings);
    others.push(started);
    return started;
  };

  test('print is read where it stands, and answered key by key as documented', async () => {
    const text = await recogniseAsText(print);
    const json = JSON.parse(text) as Recognition;
    const keys = [
      'status',
      'predictions',
      'texts',
      'objects',
      'faces',
      'predicttype',
      'fileid',
      'predict_type',
    ];
    expect(Object.keys(json)).toEqual(keys);
    expect(json.texts.predictions.map((line) => line.text_value)).toEqual([
      'Platform 12',
      'Exit',
      'Tickets from 7.30',
    ]);
    const [platform, exit] = json.texts.predictions;
    const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = (exit?.coordinates ?? '').split(',').map(Number);
    expect(Math.abs(x1 - 540)).toBeLessThan(15);
    expect(x2 - x1).toBeGreaterThan(60);
    expect(Math.abs(y1 - 70)).toBeLessThan(20);
    expect(y2 - y1).toBeGreaterThan(20);
    expect(platform?.polygon).toHaveLength(4);
    expect(text).toMatch(
      /"texts": \{"status": "ok, results limited to 15", "predictions": \[\{"text_value": "Platform 12", "coordinates": "\d+,\d+,\d+,\d+", "score": 0\.\d+, "polygon": \[\[\d+, \d+\], \[\d+, \d+\], \[\d+, \d+\], \[\d+, \d+\]\]\}, /,
    );
    expect(text).toContain('"summary": [{"text_value": "Platform 12", "count": "1"}, ');
    expect(text).toContain('"faces": {"face_count": 0, "predictions": []}, "predicttype": ');
  });

  test('one process answers what two answer together', async () => {
    const single = await other({ LYNCEUS_INFERENCE_PROCESSES: '1' });
    for (const image of [print, sample]) {
      const [alone, together] = [await recogniseAsText(image, single), await recogniseAsText(image)];
      expect(withoutFileId(together)).toBe(withoutFileId(alone));
    }
  });

  test('parts chooses, and what was not chosen is there and empty', async () => {
    const texts = await recognise(print, { parts: ['texts'] });
    expect(texts.texts.predictions).toHaveLength(3);
    expect([texts.predictions, texts.objects, texts.faces]).toEqual([
      [],
      { predictions: [], summary: [] },
      { face_count: 0, predictions: [] },
    ]);
    const faces = await recognise(sample, { parts: ['faces'] });
    expect(faces.faces).toEqual({ face_count: 0, predictions: [] });
    expect(faces.texts).toEqual({ status: 'ok, results limited to 15', predictions: [], summary: [] });
    const misspelt = recognise(print, { parts: ['words' as 'texts'] });
    await expect(misspelt).rejects.toMatchObject({ code: 'wrong_parameters', httpStatus: 400 });
  });

  test('the settings choose what runs by itself, and the models for faces', async () => {
    const limited = await other({
      LYNCEUS_RECOGNITION_PARTS: 'faces,objects',
      LYNCEUS_FACE_CHAIN: 'permissive',
      LYNCEUS_INFERENCE_PROCESSES: '1',
    });
    const found = await recognise(sample, {}, limited);
    expect([found.predictions, found.texts.predictions]).toEqual([[], []]);
    expect([found.objects.predictions.length, found.faces.face_count]).toEqual([1, 0]);
    expect((await recognise(print, { parts: ['texts'] }, limited)).texts.predictions).toHaveLength(3);
  });

  test('lynceus predict prints what it read and draws it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lynceus-predict-'));
    try {
      await writeFile(join(folder, 'print.jpg'), print);
      const printed: string[] = [];
      const context = {
        env: process.env,
        cwd: folder,
        print: (text: string) => printed.push(text),
        note: (text: string) => printed.push(text),
      };
      const words = ['predict', 'print.jpg', '--parts', 'texts,faces', '--annotate', 'out.jpg'];
      expect(await runCommandLine(words, context)).toBe(0);
      expect(printed.join('\n')).toMatch(
        /TEXT +SCORE .*\nPlatform 12 +[01]\.\d\d +\d+ \d+ \d+ \d+\n[\s\S]*no faces/,
      );
      const [before, after] = await Promise.all(
        [print, await readFile(join(folder, 'out.jpg'))].map((bytes) => sharp(bytes).stats()),
      );
      expect(after?.entropy).toBeGreaterThan(before?.entropy ?? 8);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
