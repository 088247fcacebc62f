import type { TaskResults } from '@lynceus/engine';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { callV1, type Sent } from '../../http/fixtures/call-v1.js';
import { facesAt } from '../../http/fixtures/faces-at.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';

let service: TestService;
let modelId: number;
beforeAll(async () => {
  service = await startTestService({ publicAddress: 'https://vision.example/v/' });
  modelId = (await service.faces.perceptions.create(service.accountId, { name: 'staff' })).id;
});
afterEach(async () => {
  service.runner.script = async () => found;
  expect(await service.filesInSpool()).toEqual([]);
});
afterAll(() => service.stop());

function show(...directionsDeg: readonly number[]): void {
  const results = facesAt(...directionsDeg);
  service.runner.script = async () => results;
}

let serial = 0;
/** An image that was never sent before. */
function upload(): Sent {
  serial += 1;
  const content = imageBytes(3000 + serial);
  return multipart([{ name: 'image', fileName: 'a.jpg', content }]);
}
const face = (query: string, sent?: Sent, key = service.key) =>
  callV1(service, `/predict/face?${query}`, { sent, key });
const createPerson = async (name: string) =>
  (await face(`command=create_person&model_id=${modelId}&person_name=${encodeURIComponent(name)}`)).json
    .person_id;
const insert = (personId: number) =>
  face(`command=insert_person_image&person_id_filter=${personId}`, upload());

describe('create_person', () => {
  test('answers an id of four digits, person_id last, and counts as a call', async () => {
    const before = (await service.callsUsed()) ?? 0;
    const { status, text } = await face(`command=create_person&model_id=${modelId}&person_name=First`);
    expect([status, text]).toEqual([
      200,
      '{"status": 1001, "status_description": "success", "post_type": "create_person", "person_id": 1001}',
    ]);
    expect(await service.callsUsed()).toBe(before + 1);
  });

  test('takes a name twice, and refuses one that is none with -2', async () => {
    expect(await createPerson('Twin')).toBe((await createPerson('Twin')) - 1);
    for (const name of ['', '%20', 'J%EF%BF%BDrgen', '%E2%80%8B', 'a'.repeat(201)]) {
      const { json } = await face(`command=create_person&model_id=${modelId}&person_name=${name}`);
      expect(json).toMatchObject({ status: -2, person_id: -1 });
    }
  });
});

describe('insert_person_image', () => {
  test('adds the face, which the next search finds', async () => {
    const ada = await createPerson('Ada');
    show(10);
    const { text, json } = await insert(ada);
    expect(json.status).toBeGreaterThan(1000);
    expect(text).toBe(
      `{"status": ${json.status}, "status_description": "success", "post_type": "insert_person_image"}`,
    );
    const searched = await face(`model_id=${modelId}`, upload());
    expect(searched.json.faces_detected).toMatchObject([{ person_name: 'Ada', person_id: ada }]);
  });

  test('is -1 where no face is seen, and nothing is kept', async () => {
    const person = await createPerson('Nobody');
    show();
    expect((await insert(person)).json).toMatchObject({ status: -1, post_type: 'insert_person_image' });
    expect((await service.faces.people.read(service.accountId, person)).images).toBe(0);
  });

  test('takes the largest of several faces, and says so', async () => {
    const person = await createPerson('Group');
    show(100, 140);
    const { json } = await insert(person);
    expect(json.status_description).toBe(
      'success; there are 2 faces and the largest was taken: crop the image to one',
    );
  });

  test('says when the face looks like another person', async () => {
    const [one, other] = [await createPerson('One'), await createPerson('Other')];
    show(200);
    await insert(one);
    show(203);
    expect((await insert(other)).json.status_description).toMatch(/looks more like One/);
  });
});

describe('insert_person_image_key_id', () => {
  const insertKey = (keyId: string) =>
    face(`command=insert_person_image_key_id&model_id=${modelId}&key_id=${keyId}`, upload());

  test('makes the person at the first image, named by the key id, and finds them after', async () => {
    show(250);
    const first = await insertKey('till%207');
    show(251);
    const second = await insertKey('till%207');
    expect(first.json).toMatchObject({ post_type: 'insert_person_image', status: expect.any(Number) });
    expect(second.json.status).toBeGreaterThan(first.json.status);
    const { json } = await face(`model_id=${modelId}`, upload());
    expect(json.faces_detected[0]).toMatchObject({ person_name: 'till 7', key_id: 'till 7' });
  });

  test('answers no key id of another person where an image was moved or the person was given another', async () => {
    show(280);
    const { json: added } = await insertKey('mistaken');
    const { accountId, faces } = service;
    const seen = async () => (await face(`model_id=${modelId}`, upload())).json.faces_detected[0];
    const moved = await faces.regrouping.move(accountId, { id: modelId }, [added.status], { name: 'Right' });
    expect(await seen()).toMatchObject({ person_name: 'Right', key_id: null });
    await faces.people.change(accountId, moved.id, { keyId: 'right-1' });
    expect(await seen()).toMatchObject({ person_name: 'Right', key_id: 'right-1' });
  });

  test('makes one person when ten first images come at once', async () => {
    show(320);
    await Promise.all(Array.from({ length: 10 }, () => insertKey('rush')));
    const people = await service.faces.people.list(
      service.accountId,
      modelId,
      { search: 'rush' },
      { limit: 10, after: undefined },
    );
    expect(people.items).toMatchObject([{ name: 'rush', keyId: 'rush', images: 10 }]);
  });

  test('is -2 for a key id that is none', async () => {
    expect((await insertKey('%20')).json).toMatchObject({ status: -2 });
  });
});

describe('a search', () => {
  let own: number;
  let eve: number;
  let max: number;
  beforeAll(async () => {
    own = (await service.faces.perceptions.create(service.accountId, { name: 'searched' })).id;
    const person = async (name: string, directionDeg: number) => {
      const query = `command=create_person&model_id=${own}&person_name=${name}`;
      const id = (await face(query)).json.person_id;
      show(directionDeg);
      await insert(id);
      return id;
    };
    eve = await person('Eve', 0);
    max = await person('Max', 50);
  });

  test('answers byte for byte as documented', async () => {
    show(0);
    const { text, json } = await face(`model_id=${own}`, upload());
    const similarity = (at: number) => String(json.similar_faces[at].similarity);
    const url = (at: number) => json.similar_faces[at].image_url;
    const item = (name: string, at: number, id: number, box: string) =>
      `{"person_name": "${name}", "similarity": ${similarity(at)}, "coordinates": "${box}", "image_url": "${url(at)}", "person_id": ${id}, "key_id": null`;
    expect(text).toBe(
      `{"status": "ok", "person_id_filter": -1, "faces_detected": [${item('Eve', 0, eve, '100,181,51,150')}}], ` +
        '"face_recog_hit": true, "face_count": 1, "post_type": "face_search", "faces": [{"person_name": "Eve", ' +
        `"similarity": ${similarity(0)}, "face_live": null, "coordinates": "100,181,51,150", "person_id": ${eve}, "key_id": null, ` +
        '"face_live_status_description": null}], "similar_faces": [' +
        `${item('Eve', 0, eve, '100,181,51,150')}, "order": 1}, ${item('Max', 1, max, '100,181,51,150')}, "order": 2}]}`,
    );
    expect(url(0)).toMatch(/^https:\/\/vision\.example\/v\/face-images\//);
  });

  test('calls a stranger a stranger', async () => {
    show(180);
    const { json } = await face(`model_id=${own}`, upload());
    expect(json).toMatchObject({ faces_detected: [], face_recog_hit: false, face_count: 1 });
    expect(json.faces[0]).toMatchObject({ person_name: 'unknown', person_id: -1, key_id: null });
    expect(json.similar_faces).toHaveLength(2);
    expect(json.similar_faces[0].similarity).toBeLessThan(0.5);
  });

  test('distinguishes the faces of an image, and ranks people once', async () => {
    show(1, 49);
    const { json } = await face(`model_id=${own}`, upload());
    expect(json.faces_detected.map((each: { person_id: number }) => each.person_id)).toEqual([eve, max]);
    const orders = json.similar_faces.map((each: { person_id: number; order: number }) => [
      each.person_id,
      each.order,
    ]);
    expect(orders).toEqual([
      [eve, 1],
      [max, 2],
    ]);
  });

  test('looks at one person alone when a filter says so, and echoes it', async () => {
    show(0);
    const { json } = await face(`model_id=${own}&person_id_filter=${max}`, upload());
    expect(json.person_id_filter).toBe(max);
    expect(json.similar_faces).toMatchObject([{ person_id: max }]);
  });

  test('without a face is a success without faces', async () => {
    show();
    expect((await face(`model_id=${own}`, upload())).json).toMatchObject({
      status: 'ok',
      face_count: 0,
      face_recog_hit: false,
      faces: [],
      similar_faces: [],
    });
  });

  test('in an empty perception has similarity 0.0', async () => {
    const empty = await service.faces.perceptions.create(service.accountId, { name: 'empty' });
    show(0);
    const { text } = await face(`model_id=${empty.id}`, upload());
    expect(text).toContain('"person_name": "unknown", "similarity": 0.0');
  });

  test('is wrong parameters for a person of another perception', async () => {
    const { status, json } = await face(`model_id=${modelId}&person_id_filter=${eve}`, upload());
    expect([status, json.status]).toEqual([400, 'Error (Wrong Parameters)']);
  });

  test('answers liveness where the perception asks for it', async () => {
    await service.faces.perceptions.change(service.accountId, own, { wantsLiveness: true });
    const results: TaskResults = {
      faces: {
        faces: (facesAt(0).faces?.faces ?? []).map((seen) => ({ ...seen, liveness: 0.93 })),
        embedder: { id: 'fr-feature', version: '1' },
      },
    };
    service.runner.script = async () => results;
    const { json } = await face(`model_id=${own}`, upload());
    expect(json.faces[0]).toMatchObject({
      face_live: true,
      face_live_status_description: 'looks like a living face (0.93); advisory',
    });
  });

  test('is kept by its fileid, without what would make a face known again', async () => {
    show(0);
    const { headers } = await face(`model_id=${own}`, upload());
    const answer = await request(`${service.base}/api/files/${headers['x-file-id']}`, {
      headers: { 'x-api-key': service.key },
    });
    const text = await answer.body.text();
    expect(JSON.parse(text)).toMatchObject({
      operation: 'v1.face_search',
      result: { faces: [{ candidates: [{ person_id: eve, name: 'Eve' }, { person_id: max }] }] },
    });
    expect(text).not.toContain('embedding');
  });
});

test('image_url shows the stored image to whoever has it, and nothing to others', async () => {
  show(0);
  const person = await createPerson('Shown');
  show(77);
  const sent = upload();
  await face(`command=insert_person_image&person_id_filter=${person}`, sent);
  const { json } = await face(`model_id=${modelId}`, upload());
  const path = new URL(json.faces_detected[0].image_url).pathname.replace('/v', '');
  const shown = await request(`${service.base}${path}`);
  expect(shown.statusCode).toBe(200);
  expect(shown.headers).toMatchObject({ 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' });
  const bytes = Buffer.from(await shown.body.arrayBuffer());
  expect(Buffer.from(sent.body).includes(bytes)).toBe(true);
  const forged = await request(`${service.base}${path.replace(/\.\d+\./, '.1001.')}`);
  expect(forged.statusCode).toBe(404);
});

test("another account's perceptions and people do not exist", async () => {
  const { key } = await service.makeKey('other');
  const person = await createPerson('Mine');
  const commands = [
    [`command=create_person&model_id=${modelId}&person_name=x`, -1],
    [`command=insert_person_image&person_id_filter=${person}`, -2],
    [`command=insert_person_image_key_id&model_id=${modelId}&key_id=x`, -2],
  ] as const;
  for (const [query, status] of commands) expect((await face(query, upload(), key)).json.status).toBe(status);
  expect((await face(`model_id=${modelId}`, upload(), key)).status).toBe(400);
});
