import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { sample, samplePath, signBox } from '../support/sample.js';
import { makeClientKey } from './make-client-key.js';
import { python, runProgram } from './run-program.js';

/** The module behind the nodes of node-red-contrib-deepstack, as Node-RED runs it. */
interface NodeRed {
  objectDetection(image: Buffer, server: object, confidence: number): Promise<Answer>;
  customModel(image: Buffer, server: object, confidence: number, model: string): Promise<Answer>;
  faceRecognition(image: Buffer, server: object, confidence: number): Promise<Answer>;
  faceRegistration(images: readonly Buffer[], server: object, userid: string): Promise<Answer>;
  getOutlines(predictions: Answer['predictions']): readonly { readonly x: number; readonly width: number }[];
}
interface Answer {
  readonly success: boolean;
  readonly message?: string;
  readonly predictions: readonly { readonly label?: string; readonly userid?: string }[];
}

describe.skipIf(!(await haveDefaultModels()))('clients of DeepStack', { timeout: 120_000 }, () => {
  let service: Service;
  let key: string;
  let dir: string;
  let face: Buffer;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-deepstack-'));
    service = await startService({ LYNCEUS_RECOGNITION_PARTS: 'objects' });
    key = await makeClientKey(service, { protocol: 'deepstack', models: { 'ipcam-general': 'coco-fast' } });
    face = await drawFaces(320, 240, [{ x: 160, y: 120, unit: 5 }]);
    await writeFile(join(dir, 'face.png'), face);
  }, 120_000);
  afterAll(() => Promise.all([service.stop(), rm(dir, { recursive: true, force: true })]));

  test('node-red-contrib-deepstack detects, asks a custom model, registers a face and knows it again', async () => {
    const nodeRed: NodeRed = createRequire(import.meta.url)(
      'node-red-contrib-deepstack/deepstack-integration.js',
    );
    const { hostname: host, port } = new URL(service.url);
    const credentials = { apiKey: key, adminKey: 'what DeepStack calls its other key' };
    const server = { ...{ proto: 'http', host, port, version: 'v1', rejectUnauthorized: true }, credentials };
    const detected = await nodeRed.objectDetection(sample, server, 0.5);
    expect(detected).toMatchObject({ success: true, predictions: [{ label: 'stop sign' }] });
    const [outline] = nodeRed.getOutlines(detected.predictions);
    expect(Math.abs((outline?.x ?? 0) - signBox.xmin)).toBeLessThan(20);
    expect(await nodeRed.customModel(sample, server, 0.5, 'ipcam-general')).toMatchObject({
      predictions: [{ label: 'stop sign' }],
    });
    expect(await nodeRed.faceRecognition(face, server, 0.5)).toMatchObject({
      predictions: [{ userid: 'unknown' }],
    });
    expect(await nodeRed.faceRegistration([face], server, 'Grace')).toMatchObject({ success: true });
    expect(await nodeRed.faceRecognition(face, server, 0.5)).toMatchObject({
      predictions: [{ userid: 'Grace' }],
    });
    const { apiKey: _, ...without } = credentials;
    await expect(nodeRed.objectDetection(sample, { ...server, credentials: without }, 0.5)).rejects.toThrow(
      /401/,
    );
  });

  test.skipIf(!haveProgram(python, ['-c', 'import requests'], 'python3-requests'))(
    'Frigate, Home Assistant, Viseron, double-take, Shinobi, AITool and Blue Iris read what they need',
    async () => {
      const own = await makeClientKey(service, {
        protocol: 'deepstack',
        models: { 'ipcam-general': 'coco-fast' },
      });
      const read = await runProgram('deepstack_clients.py', {
        ...{ BASE: service.url, KEY: own, IMAGE: samplePath, FACE: join(dir, 'face.png') },
      });
      expect(read).toMatchObject({
        hass: ['stop sign'],
        viseron: [true, true, ['Ada']],
        double_take: [{ name: 'ada', match: true, box: { width: true, height: true } }],
        shinobi: true,
        aitool: [true, 200, 1, true, true],
        blue_iris: [true, true, ['stop sign']],
        refusals: [
          [401, false, 'Incorrect api key'],
          [401, false, 'Incorrect api key'],
          [400, false, 'No valid image file found'],
          [404, false, expect.any(String)],
        ],
      });
      const near = (wanted: number) => expect.toSatisfy((value: number) => Math.abs(value - wanted) < 20);
      const { xmin, ymin, xmax, ymax } = signBox;
      expect(read['frigate']).toEqual([['stop sign', near(ymin), near(xmin), near(ymax), near(xmax)]]);
    },
  );
});
