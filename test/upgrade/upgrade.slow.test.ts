import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { runCommand, type Service } from '#bench/service.js';
import { startSingleService } from '#bench/single-service.js';
import { openConnection } from '#server/storage/sqlite/connection.js';
import { appliedMigrations } from '#server/storage/sqlite/migrate.js';
import { haveDefaultModels } from '../support/default-models.js';
import { sample } from '../support/sample.js';
import { type ApiCall, apiOf, formWith } from './api-call.js';
import { drawnPerson, red } from './fill-folder.js';
import { folderNames, type KnownFolder, readKnownFolder, unpackFolder } from './known-folder.js';

describe.skipIf(!(await haveDefaultModels()))('a data folder of an earlier version', () => {
  // One after the other, since each starts a service.
  describe.each(folderNames)('with the tables of %s', (name) => {
    let dir: string;
    let dataDir: string;
    let known: KnownFolder;
    let service: Service;
    let call: ApiCall;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'lynceus-upgrade-'));
      dataDir = join(dir, 'data');
      await mkdir(join(dir, 'target'));
      await unpackFolder(name, dataDir);
      known = await readKnownFolder(name);
      service = await startSingleService({
        LYNCEUS_DATA_DIR: dataDir,
        // Without it nothing is done with files of drops.
        LYNCEUS_FTP_PORT: String(await freePort()),
        LYNCEUS_DROP_FOLDERS: join(dir, 'target'),
        LYNCEUS_DROP_SETTLE_MS: '0',
        // The folder is as old as its version: what was waiting then is still waiting, and not given up.
        LYNCEUS_DROP_RETRY_HOURS: '1000000',
      });
      call = apiOf(service.url, known.key);
    });
    afterAll(async () => {
      await service?.stop();
      await rm(dir, { recursive: true, force: true });
    });

    test('keeps keys and results, and recognises images', async () => {
      const kept = await call<{ fileid: string }>('GET', `/api/files/${known.fileid}`);
      expect(kept.fileid).toBe(known.fileid);
      expect((await read(`/api/files/${known.fileid}/content`)).subarray(0, 2).toString('hex')).toBe('ffd8');
      const { predictions } = await call<{ predictions: readonly { class_title: string }[] }>(
        ...(['POST', '/predict/image', formWith('image', sample)] as const),
      );
      expect(predictions[0]?.class_title).toBe('stop sign');
    });

    test('knows the people of its perception', async () => {
      const { id, people } = known.perception;
      for (const [index, { keyId, imageId }] of people.entries()) {
        expect((await read(`/api/face-images/${imageId}/content`)).length).toBeGreaterThan(1000);
        const image = await drawnPerson(index);
        const findKeys = async () => {
          const { faces_detected: faces } = await call<{ faces_detected: readonly { key_id: string }[] }>(
            ...(['POST', `/predict/face?model_id=${id}`, formWith('image', image)] as const),
          );
          return faces.map(({ key_id }) => key_id);
        };
        // Its images are embedded again meanwhile.
        await expect.poll(findKeys).toEqual([keyId]);
      }
    });

    test('has the images and labels of its dataset, and the version of its model', async () => {
      const { id, images } = known.dataset;
      const { data } = await call<{ data: readonly unknown[] }>(
        'GET',
        `/api/datasets/${id}/images?labelled=true&limit=100`,
      );
      expect(data.length).toBe(images);
      const path = `/predict/image?model_id=${known.model.id}`;
      const { predictions } = await call<{ predictions: readonly { class_title: string }[] }>(
        ...(['POST', path, formWith('image', red())] as const),
      );
      expect(predictions[0]?.class_title).toBe('red');
    });

    test('has the files of its drop, and delivers what was waiting', async () => {
      const { id, keptFile, waitingFile } = known.drop;
      const path = `/api/drops/${id}`;
      expect((await read(`${path}/files/${keptFile}/content`)).length).toBeGreaterThan(1000);
      const { destination } = await call<{ destination: { secrets: readonly string[] } }>('GET', path);
      expect(destination.secrets).toEqual(['password']);
      const target = join(dir, 'target');
      await call('PATCH', path, { destination: { kind: 'folder', folder: target, path: '{name}' } });
      while ((await call<{ state: string }>('GET', `${path}/files/${waitingFile}`)).state !== 'done')
        await sleep(100);
      expect(await readdir(target)).toEqual(['waiting.jpg']);
    });

    test('is again what it was once the backup that the upgrade made is restored', async () => {
      await service.stop();
      const [backup = '', ...others] = await readdir(join(dataDir, 'backups'));
      expect(backup).toMatch(/^before-00\d\d-.*\.db$/);
      expect(others).toEqual([]);
      const path = join(dataDir, 'backups', backup);
      const before = digest(await readFile(path));
      await runCommand(['restore', path], { LYNCEUS_DATA_DIR: dataDir });
      expect(digest(await readFile(path))).toBe(before);
      const connection = openConnection(join(dataDir, 'lynceus.db'), {
        ...{ access: 'read', wal: false, busyTimeoutMs: 1000 },
      });
      try {
        expect(appliedMigrations(connection)).toEqual(known.migrations);
        const [faces] = connection.run('select count(*) as n from face_image', []).rows;
        expect(Number(faces?.['n'])).toBe(known.perception.people.length);
      } finally {
        connection.close();
      }
    });

    async function read(path: string): Promise<Buffer> {
      const answer = await fetch(service.url + path, { headers: { 'x-api-key': known.key } });
      expect(answer.status, path).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    }
  });
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
