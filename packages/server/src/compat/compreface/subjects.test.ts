import { describe, expect, test } from 'vitest';
import { file, useCompreface } from './fixtures/compreface-client.js';

const client = useCompreface();
const { manage, ask, show, enrol, subjects, perceptionOf } = client;

describe('subjects', () => {
  test('are added, renamed, merged, and deleted', async () => {
    expect(await ask('POST', '/recognition/subjects', { json: { subject: 'Ada' } })).toMatchObject({
      status: 201,
      json: { subject: 'Ada' },
    });
    const again = await ask('POST', '/recognition/subjects', { json: { subject: 'Ada' } });
    expect(again).toMatchObject({ status: 400, json: { code: 43 } });
    const id = await enrol('Grace', 0);
    expect(await subjects()).toEqual(['Ada', 'Grace']);
    const renamed = await ask('PUT', '/recognition/subjects/Grace', { json: { subject: 'Grace Hopper' } });
    expect(renamed).toMatchObject({ status: 200, json: { updated: true } });
    const merged = await ask('PUT', '/recognition/subjects/Grace%20Hopper', { json: { subject: 'Ada' } });
    expect(merged.json).toEqual({ updated: true });
    expect(await subjects()).toEqual(['Ada']);
    // The id of the image is as before.
    expect((await ask('GET', '/recognition/faces')).json.faces).toEqual([{ image_id: id, subject: 'Ada' }]);
    expect((await ask('DELETE', '/recognition/subjects/Ada')).json).toEqual({ subject: 'Ada' });
    expect(await subjects()).toEqual([]);
  });

  test('a long name of any script is renamed, and one renamed to itself stays', async () => {
    const name = '山'.repeat(200);
    await ask('POST', '/recognition/subjects', { json: { subject: name } });
    const path = `/recognition/subjects/${encodeURIComponent(name)}`;
    expect((await ask('PUT', path, { json: { subject: name } })).json).toEqual({ updated: true });
    expect((await ask('PUT', path, { json: { subject: 'a/b' } })).json).toEqual({ updated: true });
    expect((await ask('DELETE', '/recognition/subjects/a%2Fb')).json).toEqual({ subject: 'a/b' });
  });

  test('people with a key id each are merged, and that of the other stays', async () => {
    const { perception } = await perceptionOf(client.key);
    const made = await manage(`/api/perceptions/${perception}/people`, { name: 'Ada', key_id: 'a' });
    await manage(`/api/perceptions/${perception}/people`, { name: 'Countess', key_id: 'c' });
    const merged = await ask('PUT', '/recognition/subjects/Countess', { json: { subject: 'Ada' } });
    expect(merged.json).toEqual({ updated: true });
    expect(await manage(`/api/people/${made.id}`)).toMatchObject({ name: 'Ada', key_id: 'a' });
  });

  test('images of a new subject that come at once become one person', async () => {
    show(0);
    const path = '/recognition/faces?subject=Ada';
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', path, file())));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { json } = await ask('GET', '/recognition/faces?subject=Ada');
    expect(json.total_elements).toBe(4);
    expect((await ask('DELETE', '/recognition/subjects')).json).toEqual({ deleted: 1 });
  });

  test('one that is deleted by several at once is gone for all, in words of CompreFace', async () => {
    await enrol('Ada', 0);
    const byImages = await Promise.all(
      [1, 2, 3, 4].map(() => ask('DELETE', '/recognition/faces?subject=Ada')),
    );
    expect(byImages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await enrol('Ada', 0);
    const byName = await Promise.all([1, 2, 3, 4].map(() => ask('DELETE', '/recognition/subjects/Ada')));
    for (const { status, json } of byName) {
      expect(status === 200 ? json : json.code).toEqual(status === 200 ? { subject: 'Ada' } : 42);
    }
  });

  test('all are deleted at once, with how many they were', async () => {
    for (const [at, name] of ['Ada', 'Grace', 'Mary'].entries()) await enrol(name, 40 * at);
    expect((await ask('DELETE', '/recognition/subjects')).json).toEqual({ deleted: 3 });
    expect((await ask('GET', '/recognition/faces')).json).toMatchObject({ faces: [], total_elements: 0 });
  });
});

describe('faces', () => {
  test('are listed page by page, and by subject', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.push(await enrol(at < 3 ? 'Ada' : 'Grace', 10 * at));
    const page = async (query: string) => (await ask('GET', `/recognition/faces?${query}`)).json;
    const pages = await Promise.all([0, 1, 2, 3].map((at) => page(`page=${at}&size=2`)));
    expect(pages.flatMap(({ faces }) => faces.map((face: { image_id: string }) => face.image_id))).toEqual(
      ids,
    );
    expect(pages[1]).toMatchObject({ page_number: 1, page_size: 2, total_pages: 3, total_elements: 5 });
    expect(await page('subject=Grace&size=1')).toMatchObject({
      ...{ faces: [{ image_id: ids[3], subject: 'Grace' }], total_elements: 2, total_pages: 2 },
    });
    expect(await page('subject=Nobody')).toMatchObject({ faces: [], total_elements: 0, total_pages: 0 });
  });

  test('are deleted by a list of ids, by subject, and all', async () => {
    const [ada, grace] = [await enrol('Ada', 0), await enrol('Grace', 40)];
    const foreign = await enrol('Eve', 80, client.other);
    const some = await ask('POST', '/recognition/faces/delete', { json: [ada, foreign, 'x', 7, ada] });
    expect(some).toMatchObject({ status: 200, json: [{ image_id: ada, subject: 'Ada' }] });
    expect((await ask('DELETE', '/recognition/faces?subject=Nobody')).json).toEqual({ deleted: 0 });
    expect((await ask('DELETE', '/recognition/faces?subject=Grace')).json).toEqual({ deleted: 1 });
    expect((await ask('DELETE', `/recognition/faces/${grace}`)).json.code).toBe(44);
    await enrol('Mary', 0);
    expect((await ask('DELETE', '/recognition/faces')).json).toEqual({ deleted: 1 });
    expect(await subjects()).toEqual([]);
    expect(await subjects(client.other)).toEqual(['Eve']);
  });

  test('an image is compared with a stored one, each face of it', async () => {
    const id = await enrol('Ada', 0);
    show(0, 60);
    const { json } = await ask('POST', `/recognition/faces/${id}/verify`, file());
    expect(json.result).toHaveLength(2);
    expect(json.result[0].similarity).toBeGreaterThan(0.9);
    expect(json.result[1].similarity).toBeLessThan(json.result[0].similarity);
  });
});
