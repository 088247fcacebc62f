import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, type Service, startService } from '#bench/service.js';
import { colourOnnx } from '#server/models/fixtures/tiny-onnx.js';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import { haveDefaultModels } from '../support/default-models.js';

const canRun = haveStore('ceph') && (await haveDefaultModels());
const commandLine = new URL('../../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;
const images = 240;

describe.skipIf(!canRun)(
  'an installation whose images and models move to a bucket and back',
  { timeout: 300_000 },
  () => {
    let store: ObjectServer;
    let dir: string;
    let datasetId: number;
    let modelId: number;
    let running: Service | undefined;
    const inFolder = () => ({
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_FIRST_KEY: 'the-first-key-of-what-moves',
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_RECOGNITION_PARTS: 'objects',
    });
    const inBucket = () => ({
      ...inFolder(),
      LYNCEUS_BLOBS: `s3://${store.bucket}/moved`,
      LYNCEUS_BLOBS_ENDPOINT: store.endpoint,
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    });
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'lynceus-moved-'));
      store = await startRadosgw();
    }, 300_000);
    afterAll(async () => {
      await running?.stop();
      await store?.stop();
      await rm(dir, { recursive: true, force: true });
    });

    const withService = async <T>(
      settings: Readonly<Record<string, string>>,
      work: (client: LynceusClient) => Promise<T>,
    ): Promise<T> => {
      running = await startService(settings);
      const client = createLynceusClient({ baseUrl: running.url, apiKey: inFolder().LYNCEUS_FIRST_KEY });
      const done = await work(client);
      await running.stop();
      running = undefined;
      return done;
    };
    const drawing = (at: number) =>
      sharp({
        create: {
          width: 40,
          height: 40,
          channels: 3,
          background: { r: at % 256, g: 90, b: 200 - (at % 200) },
        },
      })
        .png()
        .toBuffer();
    const readAll = async (client: LynceusClient): Promise<readonly string[]> => {
      const read: string[] = [];
      for await (const { id } of client.datasetImages.list(datasetId)) {
        const blob = await client.datasetImages.readContent(datasetId, id);
        read.push(Buffer.from(await blob.arrayBuffer()).toString('base64'));
      }
      read.push((await buffer(await client.modelVersions.download(modelId, 1))).toString('base64'));
      const found = await client.detect(await drawing(0), { modelId, confThresh: 0 });
      read.push(JSON.stringify(found.predictions));
      return read;
    };
    const run = (...words: string[]) => runCommand(['blobs', ...words], inBucket());
    /** Ends with the process, however that ends. */
    const spawnCopy = (): ChildProcess =>
      spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `await (await import('${commandLine}')).runCommandLine(['blobs', 'copy', '--to', 'bucket'])`,
        ],
        { env: { ...process.env, ...inBucket() }, stdio: 'ignore' },
      );

    test('keeps every byte, though the copy is killed again and again, and a switch too early moves nothing', async () => {
      const before = await withService(inFolder(), async (client) => {
        const dataset = await client.datasets.create({ name: 'drawings', task: 'classification' });
        datasetId = dataset.id;
        for (let at = 0; at < images; at += 40) {
          const batch = Array.from({ length: 40 }, async (_, index) => ({
            content: new Blob([new Uint8Array(await drawing(at + index))]),
            name: `${at + index}.png`,
          }));
          await client.datasetImages.add(datasetId, await Promise.all(batch));
        }
        modelId = (await client.models.create({ name: 'colours', task: 'classification' })).model_id;
        const net = { name: 'net.onnx', content: new Blob([new Uint8Array(colourOnnx())]) };
        await client.modelVersions.upload(modelId, [net], { options: { labels: ['red', 'green', 'blue'] } });
        // While the service runs.
        for (let killed = 0; killed < 5; killed += 1) {
          const copy = spawnCopy();
          const ended = new Promise((resolve) => copy.once('exit', resolve));
          setTimeout(() => copy.kill('SIGKILL'), 900 + 250 * killed);
          await ended;
        }
        await expect(run('switch', '--to', 'bucket')).rejects.toThrow(/Another service runs/);
        return readAll(client);
      });
      expect(before).toHaveLength(images + 2);
      await expect(startService(inBucket(), undefined, 1)).rejects.toThrow(/blobs copy/);

      await run('copy', '--to', 'bucket');
      expect(await run('verify', '--to', 'bucket', '--content')).toContain(
        `all ${images + 1} files, byte for byte`,
      );
      expect(await run('switch', '--to', 'bucket')).toContain('Start the services with LYNCEUS_BLOBS=');
      await expect(startService(inFolder(), undefined, 1)).rejects.toThrow(/set LYNCEUS_BLOBS/);
      // Nothing of it is needed any more.
      for (const name of ['blobs', 'custom-models']) await rm(join(dir, 'data', name), { recursive: true });
      expect(await withService(inBucket(), readAll)).toEqual(before);

      expect(await run('switch', '--to', 'folder')).toContain('Start the service without LYNCEUS_BLOBS');
      await store.kill();
      expect(await withService(inFolder(), readAll)).toEqual(before);
      expect((await readdir(join(dir, 'data', 'blobs', 'datasets'))).length).toBeGreaterThan(10);
    });
  },
);
