import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bytesOf, piecesOf } from '../storage/blobs/fixtures/blob-contract.js';
import type { ObjectServer } from '../storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '../storage/blobs/fixtures/radosgw.js';
import { haveStore } from '../storage/blobs/fixtures/store-programs.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { ownedUuid } from '../storage/blobs/owned-id.js';
import { blobsDir, dataFolder } from '../storage/data-folder.js';
import type { Bucket } from '../storage/objects/bucket.js';
import { bodyOf } from '../storage/objects/digests.js';
import { openBucket } from '../storage/objects/open-bucket.js';
import { createObjectQuarantine } from '../storage/quarantine/object-quarantine.js';
import { openQuarantine, type Quarantine } from '../storage/quarantine/quarantine.js';
import { runCommandLine } from './main.js';

describe.skipIf(!haveStore('ceph'))('blobs copy --replace', { timeout: 300_000 }, () => {
  let server: ObjectServer;
  let dir: string;
  let prefix: string;
  let bucket: Bucket;
  const ids = [1, 2, 3].map(() => ownedUuid(7));
  const [same, wrong, longer] = ids as [string, string, string];
  const folder = () => dataFolder(dir);
  const inFolder = () => openFolderBlobs(blobsDir(folder(), 'faces'), { mayServiceBeRunning: true });

  beforeAll(async () => {
    server = await startRadosgw();
    vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.secretAccessKey);
  }, 300_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.stop();
  });
  beforeEach(async () => {
    prefix = randomUUID();
    dir = await mkdtemp(join(tmpdir(), 'lynceus-blobs-'));
    const { endpoint, region, accessKeyId, secretAccessKey } = server;
    bucket = openBucket({
      ...{ endpoint, region, isPathStyle: true, encryption: '', encryptionKeyId: '' },
      address: { bucket: server.bucket, prefix: `${prefix}/` },
      credentials: { accessKeyId, secretAccessKey },
    });
    const blobs = await inFolder();
    for (const id of ids) await blobs.write(id, piecesOf('right'));
    await lynceus(0, 'copy', '--to', 'bucket');
    return async () => {
      bucket.close();
      await rm(dir, { recursive: true });
    };
  });

  /** Answers what it printed. */
  async function lynceus(code: number, ...words: string[]): Promise<string> {
    const said: string[] = [];
    const keep = (line: string) => void said.push(line);
    const env = {
      LYNCEUS_DATA_DIR: dir,
      LYNCEUS_BLOBS: `s3://${server.bucket}/${prefix}`,
      LYNCEUS_BLOBS_ENDPOINT: server.endpoint,
      LYNCEUS_BLOBS_REGION: server.region,
    };
    const ended = await runCommandLine(['blobs', ...words], { env, cwd: dir, print: keep, note: keep });
    expect(ended, said.join('\n')).toBe(code);
    return said.join('\n');
  }
  const keyOf = (id: string) => `faces/${id}`;
  async function objectOf(key: string): Promise<string | null> {
    const found = await bucket.get(key);
    return found && text(found.stream);
  }
  async function pathsIn(quarantine: Quarantine): Promise<string[]> {
    const paths: string[] = [];
    for await (const { path } of quarantine.list()) paths.push(path);
    return paths;
  }
  const quarantined = () => pathsIn(createObjectQuarantine(bucket));

  test('copies what has other bytes in the bucket again, and keeps these in its quarantine', async () => {
    await bucket.put(keyOf(wrong), bodyOf('wrong'));
    await bucket.put(keyOf(longer), bodyOf('far too long'));
    const verified = await lynceus(1, 'verify', '--to', 'bucket', '--content');
    expect(verified).toMatch(new RegExp(`faces/${wrong} has other bytes[\\s\\S]*--replace`));
    await lynceus(0, 'copy', '--to', 'bucket', '--replace');
    for (const id of ids) expect(await objectOf(keyOf(id))).toBe('right');
    const kept = await Promise.all((await quarantined()).map(objectOf));
    expect(kept.sort()).toEqual(['far too long', 'wrong']);
    await lynceus(0, 'verify', '--to', 'bucket', '--content');
    expect(await lynceus(0, 'copy', '--to', 'bucket', '--replace')).toMatch(/faces +3 +0 +0/);
  });

  test('leaves without --replace what has other bytes of the same length', async () => {
    await bucket.put(keyOf(wrong), bodyOf('wrong'));
    expect(await lynceus(0, 'copy', '--to', 'bucket')).toMatch(/faces +3 +0 +0/);
    expect([await objectOf(keyOf(wrong)), await quarantined()]).toEqual(['wrong', []]);
  });

  test('replaces nothing over what cannot be kept in quarantine under its name, and says so', async () => {
    await bucket.put(keyOf(wrong), bodyOf('wrong'));
    await lynceus(0, 'copy', '--to', 'bucket', '--replace');
    await bucket.put(keyOf(wrong), bodyOf('worse'));
    await bucket.put(keyOf(same), bodyOf('wrong'));
    const said = await lynceus(1, 'copy', '--to', 'bucket', '--replace');
    expect(said).toMatch(new RegExp(`faces/${wrong} is in quarantine since today[\\s\\S]*orphans purge`));
    expect([await objectOf(keyOf(wrong)), await objectOf(keyOf(same))]).toEqual(['worse', 'right']);
  });

  test('replaces files of the folder likewise, and none by an object that is damaged itself', async () => {
    const blobs = await inFolder();
    for (const id of [wrong, longer]) await blobs.write(id, piecesOf('other'));
    const { sha256 } = bodyOf('right');
    await bucket.put(keyOf(longer), { ...bodyOf('wrong'), sha256 });
    const said = await lynceus(1, 'copy', '--to', 'folder', '--replace');
    expect(said).toContain(`faces/${longer} is damaged itself`);
    const left = await Promise.all(ids.map(async (id) => (await bytesOf(blobs, id))?.toString()));
    expect(left).toEqual(['right', 'right', 'other']);
    const paths = await pathsIn(openQuarantine(folder().quarantineDir));
    expect(paths).toEqual([expect.stringMatching(new RegExp(`/faces/account-7/${wrong}$`))]);
  });
});
