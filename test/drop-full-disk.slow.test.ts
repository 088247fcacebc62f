import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'basic-ftp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askApi, countStates, untilWorkedOff } from '#bench/drop-crash/drop-under-test.js';
import { freePort } from '#bench/free-port.js';
import { readObject } from '#bench/load/outcome.js';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';

const diskMib = 64;
const reserveBytes = 4 * 1024 * 1024;
/** A lease of work whose end could not be written down is over after half a minute. */
const workOffMs = 90_000;

let dir: string;
let disk: string;
let isMounted = false;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-full-'));
  disk = join(dir, 'disk');
  await mkdir(disk);
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMib}m`, 'tmpfs', disk]).status === 0;
});
afterAll(async () => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  await rm(dir, { recursive: true, force: true });
});

/** Uses up the free space. */
async function fillDisk(): Promise<void> {
  spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4096']);
}

test('a full disk here refuses uploads with 452, loses nothing, and all resumes when there is space', {
  timeout: 300_000,
}, async (context) => {
  if (!isMounted) {
    console.warn('skipped: a small disk cannot be mounted here');
    context.skip();
  }
  if (!(await haveDefaultModels())) context.skip();
  const target = join(dir, 'target');
  await mkdir(target);
  const ftpPort = await freePort();
  const service: Service = await startService({
    LYNCEUS_DATA_DIR: join(disk, 'data'),
    LYNCEUS_DISK_RESERVE_BYTES: String(reserveBytes),
    LYNCEUS_RECOGNITION_PARTS: 'classes',
    LYNCEUS_INFERENCE_PROCESSES: '1',
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_DROP_FOLDERS: target,
    // Files come, and wait until the disk is full.
    LYNCEUS_DROP_SETTLE_MS: '3000',
    LYNCEUS_LOG_LEVEL: 'silent',
  });
  try {
    const drop = await askApi(service, service.key, 'POST', '/api/drops', {
      name: 'desk',
      settings: { other_files: 'deliver' },
      destination: { kind: 'folder', folder: target },
    });
    const id = Number(drop['id']);
    const user = String(readObject(JSON.stringify(drop['ftp']))['user_name']);
    const client = new Client(20_000);
    await client.access({ host: '127.0.0.1', port: ftpPort, user, password: String(drop['key']) });
    const acknowledged = new Map<string, Buffer>();
    const upload = async (name: string, content: Buffer): Promise<number> => {
      try {
        const { code } = await client.uploadFrom(Readable.from([content]), name);
        acknowledged.set(name, content);
        return code;
      } catch (error) {
        if (error instanceof Error && 'code' in error && typeof error.code === 'number') return error.code;
        throw error;
      }
    };
    const content = (letter: string, mib: number) => Buffer.alloc(mib * 1024 * 1024, letter);

    // Up to the reserve: the client gets the error, and earlier files wait or are sent.
    const codes: number[] = [];
    while (codes.at(-1) !== 452 && codes.length < diskMib) {
      codes.push(await upload(`file-${codes.length}.txt`, content('a', 4)));
    }
    expect(codes.slice(0, -1)).toEqual(codes.slice(0, -1).map(() => 226));
    expect(codes.length).toBeGreaterThan(4);
    expect(codes.at(-1)).toBe(452);

    // To the last byte, by another program: not even the database can be written.
    await fillDisk();
    expect(await upload('late.txt', content('b', 1))).toBe(452);
    expect(await upload('later.txt.part', content('b', 1))).toBe(452);
    // It answers all the same, and its connection is as good as before.
    await sleep(5000);
    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'degraded',
      components: expect.arrayContaining([expect.objectContaining({ name: 'disk', status: 'degraded' })]),
    });
    expect(await client.size('file-0.txt').catch(() => -1)).not.toBe(0);
    expect((await client.list('/')).map(({ name }) => name)).toContain('incoming');

    await rm(join(disk, 'filler'), { force: true });
    expect(await untilWorkedOff(service, service.key, id, workOffMs)).toEqual([]);
    // Purging what was sent frees space; then uploads are accepted again.
    await askApi(service, service.key, 'DELETE', `/api/drops/${id}/files?state=done`);
    expect(await upload('afterwards.txt', content('c', 1))).toBe(226);
    expect(await untilWorkedOff(service, service.key, id, workOffMs)).toEqual([]);
    client.close();

    expect((await readdir(target)).sort()).toEqual([...acknowledged.keys()].sort());
    for (const [name, sent] of acknowledged) {
      expect((await readFile(join(target, name))).equals(sent), name).toBe(true);
    }
    expect((await countStates(service, service.key, id)).get('failed')).toBeUndefined();
  } finally {
    await service.stop();
  }
});
