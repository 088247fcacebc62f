import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectFtp } from '#bench/drop-crash/ftp-client.js';
import { drawNoise } from '#bench/isolation/draw-noise.js';
import { createDrop, deliver, withComments } from '#bench/isolation/drop-resources.js';
import { startTenants } from '#bench/isolation/tenant.js';
import { cpuSecondsOf, withDescendants } from '#bench/processes.js';
import { haveDefaultModels } from './support/default-models.js';

/** 8 MB, for which exiftool would take minutes. */
const comments = 2_000_000;

describe.skipIf(!(await haveDefaultModels()))('JPEGs of two million comment segments in a drop', () => {
  let folder: string;
  let tenants: Awaited<ReturnType<typeof startTenants>>;
  let hostile: Buffer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lynceus-comments-'));
    tenants = await startTenants(folder);
    hostile = withComments(await drawNoise(64), comments);
  }, 300_000);
  afterAll(async () => {
    await tenants?.service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const send = async (drop: Awaited<ReturnType<typeof createDrop>>, count: number) => {
    const connection = await connectFtp(drop);
    for (let sent = 0; sent < count; sent += 1) {
      await connection.upload(Readable.from([hostile]), `comments ${sent}.jpg`);
    }
    connection.close();
  };
  /** The processes of exiftool together; one runs from the start on. */
  const exiftoolSeconds = async () => {
    const isExiftool = async (pid: number) =>
      (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('exiftool');
    const pids: number[] = [];
    for (const pid of await withDescendants(tenants.service.pid)) if (await isExiftool(pid)) pids.push(pid);
    expect(pids.length).toBeGreaterThan(0);
    return cpuSecondsOf(pids);
  };

  test('are refused with the limit before exiftool sees them, and delivered unchanged where that is wanted', {
    timeout: 300_000,
  }, async () => {
    const { other } = tenants;
    const before = await exiftoolSeconds();
    const refusing = await createDrop(other, { other_files: 'fail' });
    await send(refusing, 1);
    const files = () => other.client.dropFiles.page(refusing.id);
    while ((await files()).data[0]?.state !== 'failed') await sleep(100);
    expect((await files()).data[0]?.error).toMatch(/JPEG.*4,?000 segments/);

    const delivering = await createDrop(other, { other_files: 'deliver' });
    await send(delivering, 1);
    const target = join(other.folder, 'comments 0.jpg');
    while (!existsSync(target)) await sleep(100);
    expect((await readFile(target)).equals(hostile)).toBe(true);
    expect((await exiftoolSeconds()) - before).toBeLessThan(0.5);
  });

  test('leave the photograph of another account its turn', { timeout: 300_000 }, async () => {
    const [own, other] = [await createDrop(tenants.own), await createDrop(tenants.other)];
    await send(other, 6);
    await deliver(tenants.own, own, await drawNoise(640), new AbortController().signal);
    const read = async () => (await tenants.other.client.drops.read(other.id)).files.failed;
    while ((await read()) < 6) await sleep(100);
  });
});
