import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../../start/fixtures/service-process.js';
import { dataFolder } from '../../storage/data-folder.js';
import { openServiceStorage } from '../../storage/open-storage.js';
import { backUp, restoreFrom } from './fixtures/archiving.js';

const onSqlite = { databaseUrl: '', drop: async () => {} };
const uploaders = 4;

let dir: string;
let service: ServiceProcess | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-load-'));
});
afterEach(async () => {
  await service?.kill();
  rmSync(dir, { recursive: true, force: true });
});

/** Answers how to ask the service with its first key. */
async function startService(dataDir: string) {
  const key = 'lyn_of-this-test-0123456789abcdefghijklm';
  const started = await startServiceProcess(dir, { LYNCEUS_DATA_DIR: dataDir, LYNCEUS_FIRST_KEY: key });
  service = started;
  return async (path: string, options: RequestInit = {}): Promise<Response> =>
    fetch(`${started.base}/api${path}`, { ...options, headers: { 'x-api-key': key, ...options.headers } });
}

test('a backup under load restores on an empty machine with every image that a row names', {
  timeout: 300_000,
}, async () => {
  const here = dataFolder(join(dir, 'here'));
  const ask = await startService(here.dir);
  const made = await ask('/datasets', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'cells', task: 'classification' }),
  });
  const { id: dataset } = (await made.json()) as { id: number };
  let [isOver, serial] = [false, 0];
  const [added, removed] = [new Set<number>(), new Set<number>()];

  /** Adds images, and deletes every second one soon after. */
  const load = async (): Promise<void> => {
    while (!isOver && serial < 5000) {
      serial += 1;
      const colour = { r: serial % 256, g: (serial >> 8) % 256, b: 7, alpha: 1 };
      const image = await sharp({ create: { width: 8, height: 8, channels: 4, background: colour } })
        .png()
        .toBuffer();
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(image)]), `${serial}.png`);
      const answer = await ask(`/datasets/${dataset}/images`, { method: 'POST', body: form });
      const { data } = (await answer.json()) as { data: { image_id: number }[] };
      const id = data[0]?.image_id ?? 0;
      added.add(id);
      if (added.size % 2 === 0) continue;
      await ask(`/datasets/${dataset}/images/${id}`, { method: 'DELETE' });
      removed.add(id);
    }
  };
  const loads = Array.from({ length: uploaders }, load);
  await expect.poll(() => removed.size, { timeout: 120_000 }).toBeGreaterThan(5);
  const certain = [...added].filter((id) => id < Math.min(...[...added].slice(-uploaders)));
  const installation = { dir, folder: here, testDatabase: onSqlite };
  const { path, end } = await backUp(installation);
  const count = removed.size;
  await expect.poll(() => removed.size, { timeout: 120_000 }).toBeGreaterThan(count);
  isOver = true;
  await Promise.all(loads);
  await service?.stop();
  expect(end.missing.count).toBe(0);

  const there = dataFolder(join(dir, 'there'));
  await restoreFrom({ dir, folder: there, testDatabase: onSqlite }, createReadStream(path));
  const { database, close } = await openServiceStorage(there);
  const rows = await database.query
    .selectFrom('dataset_image')
    .select(['id', 'blob_id as blobId', 'image_sha256 as sha256'])
    .execute();
  await close();
  const without = new Set(end.deletedMeanwhile.paths);
  for (const { blobId, sha256 } of rows) {
    const file = `blobs/datasets/${blobId.slice(0, 2)}/${blobId}`;
    if (without.has(file)) continue;
    expect(
      createHash('sha256')
        .update(readFileSync(join(there.dir, file)))
        .digest('hex'),
    ).toBe(sha256);
  }
  expect(rows.length - without.size).toBe(end.contents['dataset-image']?.files);
  // What was there before it began and was never deleted.
  const stayed = certain.filter((id) => !removed.has(id));
  expect(stayed.length).toBeGreaterThan(0);
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(stayed));

  const again = await startService(there.dir);
  const kept = rows.find(({ id }) => !removed.has(id));
  const image = await again(`/datasets/${dataset}/images/${kept?.id}/content`);
  const bytes = Buffer.from(await image.arrayBuffer());
  expect([image.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, kept?.sha256]);
  expect(existsSync(there.backupStagingDir)).toBe(false);
});
