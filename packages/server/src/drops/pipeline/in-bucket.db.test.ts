import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blackBmp } from '../fixtures/black-bmp.js';
import { put, readAll } from '../fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';

let service: WorkingDrop;
beforeAll(async () => {
  service = await openWorkingDrop({ place: 'bucket' });
});
afterAll(() => service.close());

const putBytes = async (folders: Parameters<typeof put>[0], name: string, bytes: Buffer) => {
  const upload = await folders.receive(['incoming', name], { at: 'begin' });
  await upload.write(bytes);
  await upload.finish();
};
/** Objects that rows name, and those that there are. */
const expectNoOrphans = async () => {
  const rows = await service.database.query.selectFrom('drop_file_chunk').select('object_id').execute();
  const named = rows.map(({ object_id }) => `drops/${object_id}`).sort();
  expect([...service.bucket.objects.keys()].sort()).toEqual(named);
};

test('a file in the bucket gets its keywords, is delivered, and is read with them from another replica', async () => {
  const { drop, folders } = await service.makeDrop();
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } });
  const photo = await image.jpeg().toBuffer();
  await putBytes(folders, 'a.jpg', photo);
  const [row] = await service.settled(drop.id);
  expect(row).toMatchObject({ state: 'done', error: null, folder_uid: null });
  const delivered = (await readdir(service.target, { recursive: true })).filter((name) =>
    name.endsWith('a.jpg'),
  );
  const sent = await readFile(join(service.target, delivered[0] ?? ''));
  expect(sent.length).toBeGreaterThan(photo.length);
  // Of what is done, one part is kept.
  await service.reopen();
  const session = await service.store.files.open(row ?? never());
  const pieces: Buffer[] = [];
  for await (const piece of session.stream) pieces.push(Buffer.from(piece));
  expect(Buffer.concat(pieces).equals(sent)).toBe(true);
  expect(await readdir(join(service.dir, 'drops')).catch(() => [])).toEqual([]);
  await expectNoOrphans();
});

test('a file without a byte and one that is no image are sent on as they came, where the drop wants that', async () => {
  const { drop, folders } = await service.makeDrop({ settings: { otherFiles: 'deliver' } });
  await put(folders, ['incoming', 'empty.txt'], '');
  await put(folders, ['incoming', 'list.txt'], 'names');
  expect((await service.settled(drop.id)).map(({ state, size_bytes }) => [state, size_bytes])).toEqual([
    ['done', 0],
    ['done', 5],
  ]);
  await expectNoOrphans();
});

test('a sidecar is kept in done beside its image, and leaves no object when they are deleted', async () => {
  const { drop, folders } = await service.makeDrop({ destination: null });
  await putBytes(folders, 'scan.bmp', blackBmp(8, 8));
  const rows = await service.settled(drop.id);
  const file = rows.find(({ name }) => name === 'scan.bmp');
  const folder = ['done', file?.parent ?? ''];
  await service.database.write([
    // As old as what the sweep looks at.
    service.database.query.updateTable('drop_file_chunk').set({ created_at: 0 }),
  ]);
  await service.store.sweep(service.database);
  expect(await readAll(folders, [...folder, 'scan.xmp'])).toContain('malamute');
  await service.store.files.remove({ accountId: service.accountId, dropId: drop.id }, file?.id ?? '');
  await expect(folders.read([...folder, 'scan.xmp'], 0)).rejects.toThrow();
  await expectNoOrphans();
});

test('what failed says why beside it, is retried from where it stood, and leaves no object when it is deleted', async () => {
  const { drop, folders } = await service.makeDrop({ settings: { otherFiles: 'fail' } });
  await put(folders, ['incoming', 'list.txt'], 'names');
  const failed = (await service.settled(drop.id)).find(({ id }) => !id.endsWith('-reason'));
  expect(failed).toMatchObject({ state: 'failed' });
  const folder = ['failed', failed?.parent ?? ''];
  expect(await readAll(folders, [...folder, 'list.txt.txt'])).toContain('it is not an image');
  expect(await readAll(folders, [...folder, 'list.txt'])).toBe('names');
  const ref = { accountId: service.accountId, dropId: drop.id };
  await service.store.files.retry(ref, failed?.id ?? '');
  await service.settled(drop.id);
  await service.store.files.remove(ref, failed?.id ?? '');
  await expectNoOrphans();
});

test('a drop whose deletion met a store that was away goes with the next sweep', async () => {
  const { drop, folders } = await service.makeDrop({ settings: { otherFiles: 'deliver' } });
  await put(folders, ['incoming', 'list.txt'], 'names');
  await service.settled(drop.id);
  service.bucket.isAway = true;
  const { deletion } = service.store;
  await expect(deletion.removeDrop(service.accountId, drop.id)).rejects.toMatchObject({ code: 'away' });
  service.bucket.isAway = false;
  await service.store.sweep(service.database);
  const { query } = service.database;
  expect(await query.selectFrom('drop_box').select('id').where('id', '=', drop.id).execute()).toEqual([]);
  const files = query.selectFrom('drop_file').select('id').where('drop_id', '=', drop.id);
  expect(await files.execute()).toEqual([]);
});

function never(): never {
  throw new Error('there is no file');
}
