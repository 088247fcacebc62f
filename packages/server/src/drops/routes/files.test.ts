import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { dropCalls } from './fixtures/drop-calls.js';

let service: TestService;
let api: ReturnType<typeof dropCalls>;
let photo: Buffer;
beforeAll(async () => {
  service = await startTestService();
  api = dropCalls(service);
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => service.stop());

const noImage = Buffer.from('no image at all');

describe('a file that was sent on', () => {
  test('is listed, and read with labels, keywords and history', async () => {
    const drop = await api.make();
    await api.send(drop, ['DCIM', 'IMG_1.jpg'], photo);
    const [file] = await api.settled(drop.id, 'done');
    expect(file).toMatchObject({
      name: 'IMG_1.jpg',
      folder: 'DCIM',
      state: 'done',
      error: null,
      path: expect.stringMatching(/^done\/\d{4}-\d\d-\d\d\/IMG_1\.jpg$/),
      delivered_to: join(service.dropTarget, 'DCIM', 'IMG_1.jpg'),
      summary: { keywords: expect.arrayContaining(['dog']) },
    });
    const { json } = await api.get(`/api/drops/${drop.id}/files/${file.id}`);
    expect(json).toMatchObject(file);
    expect(json.labels.objects[0]).toEqual({
      title: 'dog',
      score: expect.any(Number),
      box: {
        ...Object.fromEntries(['x_min', 'y_min', 'x_max', 'y_max'].map((at) => [at, expect.any(Number)])),
      },
    });
    expect(json.keywords).toMatchObject({ field: 'iptc+xmp', added: expect.arrayContaining(['dog']) });
    expect(json.history.map(({ what }: { what: string }) => what)).toEqual([
      ...['arrived', 'predicted', 'written', 'done'],
    ]);
    expect((await api.get(`/api/drops/${drop.id}`)).json.files).toMatchObject({ waiting: 0, done_today: 1 });
    expect((await api.get(`/api/files/${json.fileid}`)).json).toMatchObject({ key_id: drop.key_id });
  });

  test('is downloaded with its keywords, under its own name', async () => {
    const drop = await api.make();
    await api.send(drop, ["Zoë's.jpg"], photo);
    const [file] = await api.settled(drop.id, 'done');
    const answer = await request(`${service.base}/api/drops/${drop.id}/files/${file.id}/content`, {
      headers: { 'x-api-key': service.key },
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(file.file_bytes),
      'content-disposition': "attachment; filename*=UTF-8''Zo%C3%AB%27s.jpg",
    });
    expect(bytes.includes('malamute')).toBe(true);
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(photo).raw().toBuffer());
  });
});

describe('the list of files', () => {
  test('is paged from the newest on, and narrowed by state and name', async () => {
    const drop = await api.make();
    for (const name of ['a_1.jpg', 'B%2.jpg', 'c3.txt']) {
      await api.send(drop, [name], name.endsWith('txt') ? noImage : photo);
    }
    await api.settled(drop.id, 'done', 2);
    await api.settled(drop.id, 'failed');
    const path = `/api/drops/${drop.id}/files`;
    const names = async (query: string) =>
      (await api.get(`${path}?${query}`)).json.data.map(({ name }: { name: string }) => name);
    const first = (await api.get(`${path}?limit=2`)).json;
    const second = (await api.get(`${path}?limit=2&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['c3.txt', 'B%2.jpg', 'a_1.jpg']);
    expect(second.next_cursor).toBeNull();
    expect(await names('state=failed')).toEqual(['c3.txt']);
    expect(await names('state=waiting')).toEqual([]);
    expect(await names('search=b%25')).toEqual(['B%2.jpg']);
    expect(await names('search=_')).toEqual(['a_1.jpg']);
    expect((await api.get(`${path}?state=lost`)).json.detail).toMatch(/^state must be waiting/);
    expect((await api.get(`${path}?cursor=abc`)).status).toBe(400);
  });
});

describe('a file that failed', () => {
  test('resumes where it was, under the folder and name that it came by', async () => {
    const drop = await api.make({ settings: { other_files: 'fail' } });
    await api.send(drop, ['notes', 'a.txt'], noImage);
    await api.send(drop, ['notes', 'b.txt'], noImage);
    const failed = await api.settled(drop.id, 'failed', 2);
    expect(failed[0]).toMatchObject({
      name: 'b.txt',
      folder: 'notes',
      error: expect.stringMatching(/not an image/),
    });
    const path = `/api/drops/${drop.id}`;
    await api.patch(path, { settings: { other_files: 'deliver' } });
    const { status, json } = await api.post(`${path}/files/${failed[0].id}/retry`);
    expect([status, json.error, json.folder]).toEqual([200, null, 'notes']);
    expect(json.history.map(({ what }: { what: string }) => what)).toContain('retried');
    const [done] = await api.settled(drop.id, 'done');
    expect(done.delivered_to).toBe(join(service.dropTarget, 'notes', 'b.txt'));
    expect((await api.post(`${path}/retry`)).json).toEqual({ files: 1, left: 0 });
    await api.settled(drop.id, 'done', 2);
    const again = await api.post(`${path}/files/${done.id}/retry`);
    expect([again.status, again.json.detail]).toEqual([409, expect.stringMatching(/is done/)]);
  });

  test('is not looked at twice when only its destination was at fault', async () => {
    const drop = await api.make({
      destination: { kind: 'folder', folder: service.dropTarget, if_exists: 'fail' },
    });
    await api.send(drop, ['once.jpg'], photo);
    await api.settled(drop.id, 'done');
    const other = await sharp(photo).negate().jpeg().toBuffer();
    await api.send(drop, ['once.jpg'], other);
    const { query } = service.database;
    const [waiting] = await api.settled(drop.id, 'written');
    // As if it had failed for long, and were tried now; an attempt that is under way may write over that.
    const hurry = () =>
      service.database.write([
        query.updateTable('drop_file').set({ failing_since: 1 }).where('id', '=', waiting.id),
        query.updateTable('job').set({ due_at: 0 }).where('subject', '=', waiting.id),
      ]);
    const failed = async () => {
      await hurry();
      return (await api.get(`/api/drops/${drop.id}/files?state=failed`)).json.data.length;
    };
    await expect.poll(failed).toBe(1);
    await rename(join(service.dropTarget, 'once.jpg'), join(service.dropTarget, 'first.jpg'));
    await api.post(`/api/drops/${drop.id}/files/${waiting.id}/retry`);
    await api.settled(drop.id, 'done', 2);
    expect(await readdir(service.dropTarget)).toEqual(expect.arrayContaining(['once.jpg', 'first.jpg']));
    const usage = (await api.get(`/api/usage?key_id=${drop.key_id}`)).json;
    expect(usage.total).toBe(2);
  });

  test('is deleted alone or with all that failed, bytes and reason too', async () => {
    const drop = await api.make();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await api.send(drop, [name], noImage);
    const [first] = await api.settled(drop.id, 'failed', 3);
    const path = `/api/drops/${drop.id}/files`;
    const receipt = { files: 1, file_bytes: noImage.length };
    expect((await api.remove(`${path}/${first.id}`)).json).toEqual(receipt);
    expect((await api.get(`${path}/${first.id}`)).status).toBe(404);
    expect((await api.remove(path)).json.detail).toBe('state is missing');
    expect((await api.remove(`${path}?state=failed`)).json).toEqual({
      files: 2,
      file_bytes: 2 * noImage.length,
      left: 0,
    });
    const rows = await service.database.query
      .selectFrom('drop_file')
      .select('id')
      .where('drop_id', '=', drop.id)
      .execute();
    expect(rows).toEqual([]);
    expect((await api.get(`/api/drops/${drop.id}`)).json.files.failed).toBe(0);
  });
});

test('a file that waits when the key is revoked says so, and resumes with a new one', async () => {
  const drop = await api.make();
  const { key } = (await api.post(`/api/drops/${drop.id}/key`)).json;
  const session = await service.dropStore.logIn({
    userName: drop.ftp.user_name,
    password: key,
    host: null,
  });
  const upload = await session?.folders.receive(['incoming', 'late.jpg'], { at: 'begin' });
  await upload?.write(photo);
  const { key_id } = (await api.get(`/api/drops/${drop.id}`)).json;
  await api.remove(`/api/keys/${key_id}`);
  await upload?.finish();
  const path = `/api/drops/${drop.id}/files`;
  await expect
    .poll(async () => (await api.get(path)).json.data[0].error)
    .toMatch(/key of the drop was revoked/);
  await api.post(`/api/drops/${drop.id}/key`);
  const done = async () => {
    await service.database.write([
      service.database.query.updateTable('job').set({ due_at: 0 }).where('kind', '=', 'drop-file'),
    ]);
    return (await api.get(`${path}?state=done`)).json.data.length;
  };
  await expect.poll(done).toBe(1);
});
