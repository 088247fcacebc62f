import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { startTestService } from '#server/http/fixtures/test-service.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { createDataset, jobRows, type Stage, startSilentServer } from './job-rows.js';
import { processesBelow, stillRunning } from './processes-below.js';

const isPossible = haveProgram('ffmpeg', ['-version'], 'ffmpeg') && (await haveDefaultModels());
const firstKey = 'stop_01234567890123456789012345678901234567890';
const drainTimeoutMs = 5000;
/** What docs/operation.md promises beyond `drainTimeoutMs`. */
const stopTimeoutMs = 10_000;

test('every kind of job is tried below', async () => {
  const service = await startTestService();
  const kinds = [...service.jobKinds];
  await service.stop();
  expect(Object.keys(jobRows).sort()).toEqual(kinds.sort());
});

describe.skipIf(!isPossible)('SIGTERM ends the service', { timeout: 300_000 }, () => {
  let dir: string;
  let service: Service;
  let output = '';
  let client: LynceusClient;
  let stage: Omit<Stage, 'client'>;
  let silentServer: Awaited<ReturnType<typeof startSilentServer>>;
  const start = async () => {
    output = '';
    service = await startService(
      {
        LYNCEUS_DATA_DIR: join(dir, 'data'),
        LYNCEUS_FIRST_KEY: firstKey,
        LYNCEUS_INFERENCE_PROCESSES: '1',
        LYNCEUS_DRAIN_TIMEOUT_MS: String(drainTimeoutMs),
        LYNCEUS_LOG_LEVEL: 'info',
        LYNCEUS_FTP_PORT: String(stage?.ftpPort),
        LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
        LYNCEUS_DROP_SETTLE_MS: '100',
        LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
      (text) => {
        output += text;
      },
    );
    client = createLynceusClient({ baseUrl: service.url, apiKey: firstKey });
  };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-stop-'));
    silentServer = await startSilentServer();
    stage = { dir, silentServer, ftpPort: await freePort(), datasetId: 0 };
    await start();
    stage = { ...stage, datasetId: await createDataset(client) };
  }, 300_000);
  afterAll(async () => {
    await service.stop();
    silentServer.close();
    await rm(dir, { recursive: true, force: true });
  });

  const newest = async (kind: string) => (await client.jobs.page({ kind, limit: 1 })).data[0];

  test.each(Object.entries(jobRows))(
    'amid a job of the kind %s, which the next start takes up again',
    async (kind, begin) => {
      await begin({ ...stage, client });
      await expect
        .poll(async () => (await newest(kind))?.state, { interval: 20, timeout: 60_000 })
        .toBe('running');
      const below = processesBelow(service.pid);
      expect(below.length).toBeGreaterThan(0);

      const since = performance.now();
      await service.stop();
      expect(performance.now() - since).toBeLessThan(drainTimeoutMs + stopTimeoutMs);
      expect(output).toContain('"msg":"stopped"');
      expect(output).not.toContain('did not stop');
      for (let tries = 0; tries < 40 && stillRunning(below).length > 0; tries += 1) await sleep(50);
      expect(stillRunning(below)).toEqual([]);

      await start();
      const job = await newest(kind);
      expect([job?.state, job?.error]).toEqual([expect.stringMatching(/^(waiting|running)$/), null]);
      await client.jobs.cancel(job?.id ?? '');
    },
  );
});
