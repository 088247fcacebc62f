import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trainer } from '@lynceus/engine';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { imageBytes } from '../../http/fixtures/bodies.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { zipOf } from '../../training/datasets/fixtures/zips.js';
import { datasetCalls } from '../../training/datasets/routes/fixtures/dataset-calls.js';
import { ownedRows } from './owned-rows.js';

const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;
const marker = 'okapi-under-way-4711';
const image = Buffer.concat([imageBytes(100), Buffer.from(marker)]);
const timeout = 120_000;
const hourMs = 3_600_000;

let service: TestService;
let sweepsAtMs = 0;
const trainings: string[] = [];
/** Writes its features and waits until it is ended. */
const trainer: Trainer = {
  train: async (job, options = {}) => {
    await mkdir(job.outDir, { recursive: true });
    await writeFile(join(job.outDir, 'model.onnx'), marker);
    trainings.push(job.outDir);
    return new Promise<never>((_resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(new Error('ended')), { once: true });
    });
  },
};
beforeAll(async () => {
  service = await startTestService({
    keepImages: true,
    trainer,
    sweepClock: () => Date.now() + sweepsAtMs,
  });
}, timeout);
afterAll(() => service.stop());

test(
  'calls, a training, an import, an upload by FTP and a waiting delivery write nothing back after their account was deleted',
  async () => {
    const { key, accountId } = await service.makeKey('busy');
    const datasets = datasetCalls(service, key);
    const dataset = (await datasets.post('/api/datasets', { name: marker, task: 'classification' })).json;
    for (const label of ['cat', 'dog']) await datasets.fill(dataset.id, label, 4);
    const model = (await datasets.post('/api/models', { name: marker, task: 'classification' })).json;
    const drop = (
      await datasets.post('/api/drops', {
        name: marker,
        destination: { kind: 'http', address: 'http://127.0.0.1:9/in' },
      })
    ).json;

    // From here on whatever is looked at waits.
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let looking = 0;
    service.runner.script = async () => {
      looking += 1;
      await gate;
      return found;
    };
    const run = await datasets.post(`/api/models/${model.model_id}/runs`, { dataset_id: dataset.id });
    expect(run.status).toBe(202);
    await expect.poll(() => trainings.length, { timeout: 30_000 }).toBe(1);
    const calls = [1, 2].map(async () => {
      const answer = await fetch(`${service.base}/predict?api_key=${key}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ base64str: image.toString('base64') }),
      });
      return { status: answer.status, text: await answer.text() };
    });
    const v1 = fetch(`${service.base}/predict/image`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'image/jpeg' },
      body: new Uint8Array(image),
    }).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
    await expect.poll(() => looking, { timeout: 30_000 }).toBeGreaterThan(0);
    const zip = await callApi(service, `/api/datasets/${dataset.id}/import`, {
      method: 'POST',
      key,
      body: await zipOf({ 'cat/a.jpg': marker }),
      headers: { 'content-type': 'application/zip' },
    });
    expect(zip.status).toBe(202);
    const session = await service.dropStore.logIn({
      userName: drop.ftp.user_name,
      password: drop.key,
      host: null,
    });
    const whole = await session?.folders.receive(['incoming', `${marker}-1.jpg`], { at: 'begin' });
    await whole?.write(Buffer.from(marker));
    await whole?.finish();
    const transfer = await session?.folders.receive(['incoming', `${marker}-2.jpg`], { at: 'begin' });
    await transfer?.write(Buffer.from(marker));

    await service.users.accountDeletions.request(operator, { accountId, name: 'busy', delayMs: 0 });
    const state = async () => {
      const deletion = await service.users.accountDeletions.read(accountId);
      return [deletion.state, deletion.waitsFor];
    };
    await expect
      .poll(() => readdir(trainings[0] ?? '').catch(() => 'gone'), { timeout: 60_000 })
      .toBe('gone');
    // A job that looks at an image is waited for, however long that takes.
    if (looking > 3) expect((await state())[0]).toBe('running');
    release();
    await expect.poll(state, { timeout: 60_000 }).toEqual(['done', null]);

    // One that was counted before may be answered while its account is still there, and else as with an unknown key.
    for (const { status, text } of [...(await Promise.all(calls)), await v1]) {
      expect([200, 401]).toContain(status);
      expect(text).not.toMatch(/internal/i);
    }
    await expect(
      (async () => {
        await transfer?.write(Buffer.from(marker));
        await transfer?.finish();
      })(),
    ).rejects.toBeTruthy();
    await transfer?.cut().catch(() => undefined);
    expect(await session?.isOpen()).toBe(false);

    // What was written after all is known by its id: within the hour it is gone too.
    await age(service.folder.dir);
    sweepsAtMs = 2 * hourMs;
    await service.sweeps.runAll();
    for (const { name, blocked } of (await service.sweeps.state()).stores) {
      if (blocked) await service.sweeps.confirm(name, blocked.orphans);
    }
    await service.sweeps.runAll();
    expect(await traces(service.folder.dir)).toEqual([]);
    for (const { table, condition } of ownedRows) {
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${condition(accountId)}`.execute(
        service.database.query,
      );
      expect([table, rows.length]).toEqual([table, 0]);
    }
  },
  timeout,
);

async function traces(dir: string): Promise<readonly string[]> {
  const inside: string[] = [];
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) inside.push(...(await traces(path)));
    if (entry.isFile() && (await readFile(path)).includes(marker)) inside.push(path);
  }
  return inside;
}

/** As if all files had been there for long. */
async function age(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 1, 1).catch(() => undefined);
  }
}
