import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient, type EmbedderState, type LynceusClient } from '@lynceus/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveDefaultModels } from './support/default-models.js';

const images = 24;

describe.skipIf(!(await haveDefaultModels()))('a perception that changes its embedder', () => {
  let dataDir: string;
  let service: Service;
  let client: LynceusClient;
  let modelId: number;
  let query: Buffer;
  const start = async () => {
    service = await startService({
      LYNCEUS_DATA_DIR: dataDir,
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_FIRST_KEY: firstKey,
      LYNCEUS_RECOGNITION_PARTS: 'faces',
    });
    client = createLynceusClient({ baseUrl: service.url, apiKey: firstKey });
  };
  const firstKey = 'embedder_change_0123456789012345678901234567';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lynceus-embedder-'));
    await start();
    modelId = (await client.perceptions.create({ name: 'drawn' })).model_id;
    for (let index = 0; index < images; index += 1) {
      const face = { x: 150 + index, y: 120, unit: 5, tiltDeg: (index % 7) - 3 };
      const image = await drawFaces(320, 240, [face]);
      const keyId = `person-${index % 4}`;
      expect((await client.faceImages.addByKeyId(image, { modelId, keyId })).outcome).toBe('added');
    }
    query = await drawFaces(320, 240, [{ x: 155, y: 125, unit: 4.8, tiltDeg: 2 }]);
  }, 300_000);
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const candidates = async () => (await client.perceptions.search(query, { modelId })).faces[0]?.candidates;
  const until = async (isSo: (state: EmbedderState) => boolean) => {
    for (;;) {
      const state = await client.embedders.read(modelId);
      if (isSo(state)) return state;
      await sleep(20);
    }
  };

  test('goes on after the service is killed amid it, and answers as before once it has gone back', async () => {
    const before = await candidates();
    expect(before).toHaveLength(4);
    await client.embedders.change(modelId, { chain: 'permissive' });
    const half = await until(({ change }) => change.done > 4);
    expect(half).toMatchObject({ chain: 'accurate', change: { state: 'embedding', total: images } });
    expect(half.change.done).toBeLessThan(images);
    expect(await candidates()).toEqual(before);
    process.kill(service.pid, 'SIGKILL');
    await service.stop();
    await start();
    const restarted = await client.embedders.read(modelId);
    expect(restarted.change.done).toBeGreaterThan(4);
    const changed = await until(({ change }) => change.state === 'none');
    expect(changed).toMatchObject({ chain: 'permissive', images, left_out: { count: 0 } });
    const after = await candidates();
    expect(after).toHaveLength(4);
    expect(after).not.toEqual(before);

    const { id } = (await client.faceImages.page({ modelId }, { limit: 1 })).data[0] ?? { id: 0 };
    expect(await client.faceImages.reEmbed(id)).toMatchObject({ outcome: 'embedded', image: { id } });
    expect(await candidates()).toEqual(after);

    await client.embedders.change(modelId, { chain: 'accurate' });
    expect((await until(({ change }) => change.state === 'none')).chain).toBe('accurate');
    expect(await candidates()).toEqual(before);
  }, 300_000);
});
