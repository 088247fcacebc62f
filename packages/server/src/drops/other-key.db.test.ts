import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataFolder } from '../storage/data-folder.js';
import { readKeyFile } from '../storage/secrets/key-file.js';
import { adoptInstallationKey } from '../storage/secrets/replace-key.js';
import { put } from './fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from './fixtures/working-drop.js';

let service: WorkingDrop;
beforeAll(async () => {
  service = await openWorkingDrop();
});
afterAll(() => service.close());

const token = 'a-token-of-the-destination';
const http = { kind: 'http', address: 'http://127.0.0.1:9/in' } as const;
const { signal } = new AbortController();

test('with another key of the installation that the operator adopted, the secrets of drops are reported as lost, and all else works', async () => {
  const sealed = await service.makeDrop({
    settings: { otherFiles: 'deliver' },
    destination: { settings: http, secrets: { token } },
  });
  const open = await service.makeDrop({ settings: { otherFiles: 'deliver' } });
  await writeFile(join(service.dir, 'secret-key'), `${randomBytes(32).toString('base64url')}\n`);
  await expect(service.reopen()).rejects.toThrow(
    /is another than this database is used with.*secret-key adopt/,
  );
  const settings = { secretKey: '', secretKeyFile: '' };
  const folder = dataFolder(service.dir);
  expect(await adoptInstallationKey({ database: service.database, folder, settings })).toEqual({ lost: 1 });
  await service.reopen();
  const { drops, testDestination, files } = service.store;

  // Both are there to be seen and looked after.
  const listed = await drops.list(service.accountId, { limit: 10, after: undefined });
  expect(listed.items.map(({ id, secretNames }) => [id, secretNames])).toEqual([
    [open.drop.id, []],
    [sealed.drop.id, []],
  ]);
  const verdict = await testDestination(service.accountId, sealed.drop.id, signal);
  expect(verdict).toMatchObject({ isGood: false, problem: 'credentials' });
  expect(JSON.stringify(verdict)).toMatch(
    /send the destination again with its secrets, or .* put back the file secret-key/,
  );

  // A file of the one waits and says why; the other's is sent.
  const foldersOf = async (userName: string, password: string) =>
    (await service.store.logIn({ userName, password, host: null }))?.folders;
  const [toSealed, toOpen] = [
    await foldersOf(sealed.drop.userName, sealed.key),
    await foldersOf(open.drop.userName, open.key),
  ];
  if (!toSealed || !toOpen) throw new Error('the drops cannot be logged in to');
  await put(toSealed, ['incoming', 'a.txt'], 'sealed');
  await put(toOpen, ['incoming', 'b.txt'], 'open');
  expect(await service.settled(open.drop.id)).toMatchObject([{ state: 'done' }]);
  const ref = { accountId: service.accountId, dropId: sealed.drop.id };
  const errorOf = async () => (await files.list(ref, {}, { limit: 1, after: undefined })).items[0]?.error;
  await expect.poll(errorOf, { timeout: 120_000 }).toMatch(/cannot be opened/);

  // With a new secret it works again.
  const destination = { settings: { kind: 'folder', folder: service.target } as const, secrets: {} };
  await drops.change(service.accountId, sealed.drop.id, { destination });
  expect(await service.settled(sealed.drop.id)).toMatchObject([{ state: 'done' }]);
  await drops.change(service.accountId, sealed.drop.id, {
    destination: { settings: http, secrets: { token } },
  });
  expect((await drops.read(service.accountId, sealed.drop.id)).secretNames).toEqual(['token']);
});

test('a key that is no key any more stops the start, and is not written over', async () => {
  const path = join(service.dir, 'half-key');
  await writeFile(path, 'c2hvcnQ\n');
  await expect(readKeyFile(path)).rejects.toThrow(/half-key is no key of an installation: put back/);
  expect(await readFile(path, 'utf8')).toBe('c2hvcnQ\n');
});
