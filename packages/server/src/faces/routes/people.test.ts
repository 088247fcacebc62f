import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { faceCalls } from './fixtures/face-calls.js';

let service: TestService;
let api: ReturnType<typeof faceCalls>;
let staff: number;
beforeAll(async () => {
  service = await startTestService();
  api = faceCalls(service);
  staff = await api.makePerception();
});
afterAll(async () => {
  expect(await service.callsUsed()).toBe(0);
  await service.stop();
});

describe('people', () => {
  test('are made, read, changed and found by a part of their name or key_id', async () => {
    const made = await api.post(`/api/perceptions/${staff}/people`, { name: 'Zoë Öz', key_id: 'z-1' });
    expect([made.status, made.json]).toEqual([
      201,
      {
        id: expect.any(Number),
        model_id: staff,
        name: 'Zoë Öz',
        key_id: 'z-1',
        images: 0,
        image_id: null,
        created_at: expect.any(String),
      },
    ]);
    expect((await api.get(`/api/people/${made.json.id}`)).json).toEqual(made.json);
    const changed = await api.patch(`/api/people/${made.json.id}`, { key_id: 'z-2' });
    expect(changed.json).toEqual({ ...made.json, key_id: 'z-2' });
    for (const search of ['ZOË', 'z-2']) {
      const found = await api.get(`/api/perceptions/${staff}/people?search=${encodeURIComponent(search)}`);
      expect(found.json.data).toEqual([changed.json]);
    }
    const none = await api.get(`/api/perceptions/${staff}/people?search=z-1`);
    expect(none.json).toEqual({ data: [], next_cursor: null });
  });

  test('share no key_id, and a search for what cannot be in a name is refused', async () => {
    await api.makePerson(staff, 'One', 'same');
    const again = await api.post(`/api/perceptions/${staff}/people`, { name: 'Two', key_id: 'same' });
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
    const odd = await api.get(`/api/perceptions/${staff}/people?search=a%00b`);
    expect([odd.status, odd.json.code]).toEqual([400, 'wrong_parameters']);
  });

  test('are listed with their newest image, so that a list can show a face of each', async () => {
    const ada = await api.makePerson(staff, 'Ada of three');
    const ids = [await api.addImage(ada, 200), await api.addImage(ada, 205), await api.addImage(ada, 210)];
    const { json } = await api.get(`/api/perceptions/${staff}/people?search=of%20three`);
    expect(json.data).toMatchObject([{ id: ada, images: 3, image_id: ids[2] }]);
    await api.remove(`/api/face-images/${ids[2]}`);
    expect((await api.get(`/api/people/${ada}`)).json).toMatchObject({ images: 2, image_id: ids[1] });
    await api.remove(`/api/people/${ada}`);
  });

  test('are merged into one, whom the next search answers', async () => {
    const [ada, twin] = [await api.makePerson(staff, 'Ada'), await api.makePerson(staff, 'A.', 'a-1')];
    await api.addImage(ada, 0);
    await api.addImage(twin, 3);
    const merged = await api.post(`/api/people/${twin}/merge`, { into: ada });
    expect([merged.status, merged.json]).toEqual([
      200,
      expect.objectContaining({ id: ada, name: 'Ada', key_id: 'a-1', images: 2 }),
    ]);
    expect((await api.get(`/api/people/${twin}`)).status).toBe(404);
    const searched = await api.send(`/api/perceptions/${staff}/search?person_id=${ada}`, 3);
    expect(searched.json.faces[0].candidates).toMatchObject([{ person_id: ada, key_id: 'a-1' }]);
    expect((await api.remove(`/api/people/${ada}`)).json).toMatchObject({ people: 1, images: 2 });
  });

  test('that were mixed up are taken apart by moving images', async () => {
    const mixed = await api.makePerson(staff, 'Mixed');
    const images = [await api.addImage(mixed, 100), await api.addImage(mixed, 140)];
    const path = `/api/perceptions/${staff}/images/move`;
    const moved = await api.post(path, { image_ids: [images[1], images[1]], name: 'Second' });
    expect(moved.json).toMatchObject({ name: 'Second', images: 1 });
    const searched = await api.send(`/api/perceptions/${staff}/search`, 140);
    expect(searched.json.faces[0]).toMatchObject({
      verdict: 'match',
      candidates: [{ name: 'Second', image_id: images[1] }, { name: 'Mixed' }],
    });
    const back = await api.post(path, { image_ids: [images[1]], person_id: mixed });
    expect(back.json).toMatchObject({ id: mixed, images: 2 });
    for (const to of [{}, { person_id: mixed, name: 'x' }]) {
      const unclear = await api.post(path, { image_ids: images, ...to });
      expect(unclear.json.detail).toMatch(/either person_id or name/);
    }
  });
});

describe('a correction', () => {
  test('by an image: the person is proposed for that face no more, until it is forgotten', async () => {
    const modelId = await api.makePerception();
    const ada = await api.makePerson(modelId, 'Ada');
    await api.addImage(ada, 0);
    const search = async () => (await api.send(`/api/perceptions/${modelId}/search`, 20)).json.faces[0];
    expect(await search()).toMatchObject({ verdict: 'match', candidates: [{ person_id: ada }] });
    const corrected = await api.send(`/api/people/${ada}/corrections`, 18);
    expect([corrected.status, corrected.json]).toEqual([
      201,
      {
        outcome: 'added',
        correction: { id: expect.any(Number), person_id: ada, created_at: expect.any(String) },
      },
    ]);
    expect(await search()).toMatchObject({ verdict: 'unknown', margin: null, candidates: [] });
    const { correction } = corrected.json;
    const list = await api.get(`/api/people/${ada}/corrections`);
    expect(list.json).toEqual({ data: [correction], next_cursor: null });
    const forget = `/api/people/${ada}/corrections/${correction.id}`;
    expect([(await api.remove(forget)).status, (await api.remove(forget)).status]).toEqual([204, 404]);
    expect(await search()).toMatchObject({ verdict: 'match' });
  });

  test('by an image of another person; one of the person is to be moved instead', async () => {
    const modelId = await api.makePerception();
    const [ada, bob] = [await api.makePerson(modelId, 'Ada'), await api.makePerson(modelId, 'Bob')];
    const [own, other] = [await api.addImage(ada, 0), await api.addImage(bob, 30)];
    const added = await api.post(`/api/people/${ada}/corrections?image_id=${other}`, {});
    expect([added.status, added.json.outcome]).toEqual([201, 'added']);
    const { json } = await api.send(`/api/perceptions/${modelId}/search`, 25);
    expect(json.faces[0].candidates).toMatchObject([{ person_id: bob }]);
    const refused = await api.post(`/api/people/${ada}/corrections?image_id=${own}`, {});
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
  });

  test('of an image without a face is a result', async () => {
    const ada = await api.makePerson(staff, 'Nobody');
    const { status, json } = await api.send(`/api/people/${ada}/corrections`);
    expect([status, json]).toEqual([200, { outcome: 'no-face', correction: null }]);
  });
});
