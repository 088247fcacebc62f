import { EngineError, faceChains } from '@lynceus/engine';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { facesAt } from '../../http/fixtures/faces-at.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { isSettled, scriptedImages, seesAll } from './fixtures/scripted-images.js';

let service: TestService;
let api: ReturnType<typeof scriptedImages>;
beforeAll(async () => {
  service = await startTestService();
  api = scriptedImages(service);
});
afterEach(async () => {
  api.see(seesAll);
  expect(await service.filesInSpool()).toEqual([]);
});
afterAll(() => service.stop());

const directions = [10, 40, 70, 100];

/** A perception with a person a direction. */
async function makeStaff() {
  const staff = await api.makePerception();
  const people = await Promise.all(directions.map((deg) => api.makePerson(staff, `at ${deg}`)));
  const images: number[] = [];
  for (const [index, person] of people.entries()) images.push(await api.add(person, directions[index] ?? 0));
  return { staff, people, images };
}
const searchAll = (staff: number) => Promise.all(directions.map((deg) => api.search(staff, deg + 3)));
const noFaces = { ...found, faces: { faces: [], embedder: { id: 'fr-feature', version: '1' } } };
const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe('vectors of the revision before', () => {
  test('are searched under their own curve, and again under the new one once they are embedded again', async () => {
    const { staff, people, images } = await makeStaff();
    const { database } = service;
    await database.write([
      database.query
        .updateTable('perception')
        .set({ embedder: 'fr-feature@1', decision_similarity: 0.7 })
        .where('id', '=', staff),
      database.query
        .updateTable('face_embedding')
        .set({ embedder: 'fr-feature@1' })
        .where('image_id', 'in', images),
    ]);
    await api.post(`/api/people/${people[1]}/corrections`, { image_id: images[0] });
    const curve = async () => (await api.get(`/api/perceptions/${staff}/calibration`)).json.calibration;
    const { former, decisionCosine, cosineSlope } = faceChains.accurate;
    expect(await curve()).toEqual({ midpoint: former.decisionCosine, slope: former.cosineSlope });
    expect((await searchAll(staff)).map((found) => found?.person)).toEqual(people);
    // An image that is added meanwhile has a vector like the others.
    images.push(await api.add(people[0] ?? 0, 12));

    expect((await api.change(staff, { chain: 'accurate' })).status).toBe(202);
    const state = await api.until(staff, isSettled);
    expect(state).toMatchObject({
      embedder: 'fr-feature@1.2',
      images: images.length,
      kept: [{ embedder: 'fr-feature@1', chain: null }],
      refit: { from: { similarity: 0.7, calibration: null }, pairs: 0 },
      inactive_corrections: 0,
    });
    expect(await curve()).toEqual({ midpoint: decisionCosine, slope: cosineSlope });
    const { decision_similarity: moved } = (await api.get(`/api/perceptions/${staff}`)).json;
    expect(moved).toBeGreaterThan(0.5);
    expect(moved).not.toBe(0.7);
    expect((await searchAll(staff)).map((found) => found?.person)).toEqual(people);
  });
});

describe('changing the embedder', () => {
  test('describes every image, then searches by the new one; and back again at once, answering as before', async () => {
    const { staff, people } = await makeStaff();
    const before = await searchAll(staff);
    expect(before.map((found) => found?.person)).toEqual(people);
    const asked = await api.change(staff, { chain: 'permissive' });
    expect([asked.status, asked.json.change.embedder]).toEqual([202, 'dlib-resnet@1.2']);

    const changed = await api.until(staff, isSettled);
    expect(changed).toEqual({
      embedder: 'dlib-resnet@1.2',
      chain: 'permissive',
      images: 4,
      kept: [{ embedder: 'fr-feature@1.2', chain: 'accurate', images: 4 }],
      change: {
        state: 'none',
        embedder: null,
        chain: null,
        leave_out: false,
        done: 4,
        total: 4,
        seconds_left: null,
        error: null,
        advice: null,
      },
      refit: null,
      left_out: { count: 0, images: [] },
      inactive_corrections: 0,
    });
    const after = await searchAll(staff);
    expect(after.map((found) => found?.person)).toEqual(people);
    expect(after).not.toEqual(before);

    const added = await api.add(people[0] ?? 0, 130);
    const looksBefore = service.runner.seen.length;
    expect((await api.change(staff, { chain: 'accurate' })).status).toBe(202);
    expect((await api.until(staff, isSettled)).chain).toBe('accurate');
    // The image that was added meanwhile alone.
    expect(service.runner.seen.length).toBe(looksBefore + 1);
    expect(await searchAll(staff)).toEqual(before);
    expect((await api.search(staff, 130))?.image).toBe(added);
    expect((await api.change(staff, { chain: 'accurate' })).status).toBe(200);
  });

  test('is answered by the old one while it lasts, and takes images that are added meanwhile along', async () => {
    const { staff, people } = await makeStaff();
    const before = await searchAll(staff);
    const { open, opened } = gate();
    api.see(async (deg, chain) => {
      if (chain === 'permissive') await opened;
      return seesAll(deg, chain);
    });
    await api.change(staff, { chain: 'permissive' });
    await api.until(staff, ({ change }) => change.state === 'embedding');
    expect(await searchAll(staff)).toEqual(before);
    const added = await api.add(people[1] ?? 0, 160);
    expect((await api.search(staff, 160))?.image).toBe(added);
    expect(await api.stateOf(staff)).toMatchObject({ chain: 'accurate', change: { done: 0, total: 5 } });
    open();
    expect(await api.until(staff, isSettled)).toMatchObject({ chain: 'permissive', images: 5 });
    expect((await api.search(staff, 160))?.image).toBe(added);
  });

  test('is held where a face is not found again, until it may be left out', async () => {
    const { staff, people, images } = await makeStaff();
    api.see((deg, chain) => {
      if (chain === 'accurate') return seesAll(deg, chain);
      // The second one shows a face, and it is not where the image's is.
      if (deg === 40) return elsewhere();
      if (deg === 70) throw new EngineError('image-corrupt', 'cut');
      if (deg === 100) return noFaces;
      return seesAll(deg, chain);
    });
    await api.change(staff, { chain: 'permissive' });
    const held = await api.until(staff, isSettled);
    expect(held).toMatchObject({
      chain: 'accurate',
      change: {
        state: 'held',
        chain: 'permissive',
        done: 4,
        total: 4,
        advice: expect.stringMatching(/3 images.*leave_out true.*delete/),
      },
      left_out: {
        count: 3,
        images: [
          { image_id: images[1], reason: 'other-face' },
          { image_id: images[2], reason: 'image-damaged' },
          { image_id: images[3], reason: 'no-face' },
        ],
      },
    });
    expect((await searchAll(staff)).map((found) => found?.person)).toEqual(people);

    const looksBefore = service.runner.seen.length;
    expect((await api.change(staff, { chain: 'permissive', leave_out: true })).status).toBe(202);
    expect(await api.until(staff, isSettled)).toMatchObject({
      chain: 'permissive',
      images: 1,
      change: { state: 'none' },
      left_out: { count: 3 },
    });
    expect(service.runner.seen.length).toBe(looksBefore);
    expect(await api.search(staff, 10)).toMatchObject({ person: people[0] });
    api.see(seesAll);
    expect((await api.search(staff, 100))?.person).toBe(people[0]);
    // Described by itself, it is found again.
    expect((await api.post(`/api/face-images/${images[3]}/re-embed`, {})).json.outcome).toBe('embedded');
    expect((await api.search(staff, 100))?.image).toBe(images[3]);
    expect(await api.stateOf(staff)).toMatchObject({ images: 2, left_out: { count: 2 } });
  });

  test('asked for again without leave to leave out tries once more what was left out', async () => {
    const { staff } = await makeStaff();
    api.see((deg, chain) => (chain === 'permissive' && deg === 40 ? noFaces : seesAll(deg, chain)));
    await api.change(staff, { chain: 'permissive' });
    expect((await api.until(staff, isSettled)).change.state).toBe('held');
    api.see(seesAll);
    await api.change(staff, { chain: 'permissive' });
    expect(await api.until(staff, isSettled)).toMatchObject({ chain: 'permissive', images: 4 });
  });

  test('is given up when it is held, and says what to do when the images that held it are gone', async () => {
    const { staff, images } = await makeStaff();
    api.see((deg, chain) => (chain === 'permissive' && deg === 40 ? noFaces : seesAll(deg, chain)));
    for (const _twice of [1, 2]) {
      await api.change(staff, { chain: 'permissive' });
      const held = await api.until(staff, isSettled);
      expect(held).toMatchObject({
        change: { state: 'held', advice: expect.stringMatching(/^one image cannot be described/) },
      });
    }
    await api.remove(`/api/face-images/${images[1]}`);
    expect(await api.stateOf(staff)).toMatchObject({
      change: { state: 'held', advice: expect.stringMatching(/are deleted: request the change again/) },
    });
    const { status, json } = await api.remove(`/api/perceptions/${staff}/embedder/change`);
    expect([status, json.change.state, json.chain]).toEqual([200, 'none', 'accurate']);
    expect(json.kept).toMatchObject([{ chain: 'permissive', images: 3 }]);
  });

  test('stops where it is when it is cancelled, and resumes from there', async () => {
    const { staff } = await makeStaff();
    const { open, opened } = gate();
    api.see(async (deg, chain) => {
      if (chain === 'permissive' && deg > 40) await opened;
      return seesAll(deg, chain);
    });
    await api.change(staff, { chain: 'permissive' });
    await api.until(staff, ({ change }) => change.done === 2);
    expect((await api.change(staff, { chain: 'accurate' })).json.detail).toMatch(
      /dlib-resnet.*cancel it first/,
    );
    expect((await api.remove(`/api/perceptions/${staff}/embedder/kept`)).status).toBe(409);
    await api.remove(`/api/perceptions/${staff}/embedder/change`);
    // It would end with the cancelled one.
    const tooSoon = await api.change(staff, { chain: 'permissive' });
    expect([tooSoon.status, tooSoon.json.detail]).toEqual([409, expect.stringMatching(/ask again in some/)]);
    open();
    expect(await api.until(staff, isSettled)).toMatchObject({
      chain: 'accurate',
      change: { state: 'none' },
    });
    const looksBefore = service.runner.seen.length;
    await api.change(staff, { chain: 'permissive' });
    expect(await api.until(staff, isSettled)).toMatchObject({ chain: 'permissive' });
    expect(service.runner.seen.length - looksBefore).toBeLessThanOrEqual(2);
  });

  test('twice at once is one change', async () => {
    const { staff } = await makeStaff();
    const asked = await Promise.all([1, 2, 3].map(() => api.change(staff, { chain: 'permissive' })));
    expect(asked.map(({ status }) => status).every((status) => status === 202 || status === 200)).toBe(true);
    await api.until(staff, isSettled);
    const begun = service
      .logged('the embedder of a perception changes')
      .filter((change) => change['perceptionId'] === staff && change['event'] === 'begun');
    expect(begun).toEqual([expect.objectContaining({ embedder: 'dlib-resnet@1.2' })]);
  });

  test('of a perception that is deleted meanwhile ends with it', async () => {
    const { staff } = await makeStaff();
    const { open, opened } = gate();
    api.see(async (deg, chain) => {
      if (chain === 'permissive') await opened;
      return seesAll(deg, chain);
    });
    await api.change(staff, { chain: 'permissive' });
    await api.until(staff, ({ change }) => change.state === 'embedding');
    expect((await api.remove(`/api/perceptions/${staff}`)).json).toMatchObject({ people: 4, images: 4 });
    open();
    const { query } = service.database;
    for (let left = -1; left !== 0; ) {
      const jobs = await query.selectFrom('job').select('id').where('subject', '=', String(staff)).execute();
      left = jobs.length;
    }
    expect(service.logged('a job failed; it is tried again if that may help')).toEqual([]);
  });

  test('leaves corrections and kept vectors at rest, which can be forgotten', async () => {
    const { staff, people } = await makeStaff();
    await api.show(`/api/people/${people[0]}/corrections`, 20);
    expect((await api.search(staff, 20))?.person).toBe(people[1]);
    await api.change(staff, { chain: 'permissive' });
    expect(await api.until(staff, isSettled)).toMatchObject({ inactive_corrections: 1 });
    expect((await api.search(staff, 20))?.person).toBe(people[0]);
    const receipt = await api.remove(`/api/perceptions/${staff}/embedder/kept`);
    expect(receipt.json).toEqual({ people: 0, images: 0, embeddings: 4, corrections: 0, image_bytes: 0 });
    expect(await api.stateOf(staff)).toMatchObject({ images: 4, kept: [] });
    await api.change(staff, { chain: 'accurate' });
    expect(await api.until(staff, isSettled)).toMatchObject({ images: 4, inactive_corrections: 0 });
    expect((await api.search(staff, 20))?.person).toBe(people[1]);
  });

  test('of an empty perception is done at once', async () => {
    const staff = await api.makePerception();
    await api.change(staff, { chain: 'permissive' });
    expect(await api.until(staff, isSettled)).toMatchObject({ chain: 'permissive', images: 0 });
    expect(await api.search(staff, 10)).toBe(null);
  });

  test.each([
    [{ chain: 'best' }, 400, /chain must be one of.*accurate, permissive/],
    [{}, 400, /chain/],
    [{ chain: 'accurate', leave_out: 'yes' }, 400, /leave_out must be true or false/],
  ])('to %j is rejected with what to fix', async (body, status, detail) => {
    const staff = await api.makePerception();
    const refused = await api.change(staff, body);
    expect([refused.status, refused.json.detail]).toEqual([status, expect.stringMatching(detail)]);
  });
});

test('a chain whose models are not installed is rejected with their names', async () => {
  const bare = await startTestService({ missingModels: ['dlib-resnet'] });
  const calls = scriptedImages(bare);
  const refused = await calls.change(await calls.makePerception(), { chain: 'permissive' });
  expect([refused.status, refused.json.detail]).toEqual([
    409,
    expect.stringMatching(/not installed: dlib-resnet;.*models install/),
  ]);
  await bare.stop();
});

test('an image that is added while the embedder changes is described by the new one, and counted once', async () => {
  const { staff, people } = await makeStaff();
  const { open, opened } = gate();
  const { open: signalLooking, opened: looking } = gate();
  api.see(async (deg, chain) => {
    if (chain === 'accurate' && deg === 170) {
      signalLooking();
      await opened;
    }
    return seesAll(deg, chain);
  });
  const byPerson = api.add(people[2] ?? 0, 170);
  const used = await service.callsUsed();
  const v1 = `/predict/face?command=insert_person_image_key_id&key_id=new&model_id=${staff}&apikey=${service.key}`;
  const byKey = api.show(v1, 170);
  await looking;
  await api.change(staff, { chain: 'permissive' });
  await api.until(staff, isSettled);
  open();
  const [image, { json }] = await Promise.all([byPerson, byKey]);
  expect(json.status).toBeGreaterThan(1000);
  expect(await service.callsUsed()).toBe((used ?? 0) + 1);
  expect(await api.stateOf(staff)).toMatchObject({ images: 6, change: { done: 6, total: 6 } });
  expect([image, json.status]).toContain((await api.search(staff, 170))?.image);
});

describe('a re-embedded image', () => {
  test('has the vector and the quality of what is seen now', async () => {
    const { staff, people, images } = await makeStaff();
    api.see(() => {
      const [face] = facesAt(165).faces?.faces ?? [];
      if (!face) throw new Error('no face');
      const quality = { ...face.quality, problems: ['blurred' as const] };
      return {
        ...found,
        faces: { faces: [{ ...face, quality }], embedder: { id: 'fr-feature', version: '1' } },
      };
    });
    const embedded = await api.post(`/api/face-images/${images[0]}/re-embed`, {});
    expect([embedded.status, embedded.json]).toMatchObject([
      200,
      {
        outcome: 'embedded',
        image: { id: images[0], person_id: people[0], quality: { problems: ['blurred'] } },
        findings: [{ problem: 'blurred' }],
      },
    ]);
    api.see(seesAll);
    expect(await api.search(staff, 165)).toMatchObject({ image: images[0] });
    expect((await api.search(staff, 10))?.image).toBe(images[1]);
  });

  test('that looks like another person is reported', async () => {
    const { images } = await makeStaff();
    api.see(() => facesAt(41));
    const { json } = await api.post(`/api/face-images/${images[0]}/re-embed`, {});
    expect(json.findings).toMatchObject([{ problem: 'looks-like-another' }]);
  });

  test('in whose image no face is found stays as it is', async () => {
    const { staff, images } = await makeStaff();
    api.see(() => noFaces);
    const { status, json } = await api.post(`/api/face-images/${images[0]}/re-embed`, {});
    expect([status, json.outcome, json.image.id]).toEqual([200, 'no-face', images[0]]);
    api.see(seesAll);
    expect((await api.search(staff, 10))?.image).toBe(images[0]);
  });
});

/** A face where no image has one. */
function elsewhere() {
  const [face] = facesAt(0).faces?.faces ?? [];
  if (!face) throw new Error('no face');
  const box = { xMin: 400, yMin: 300, xMax: 480, yMax: 400 };
  return { ...found, faces: { faces: [{ ...face, box }], embedder: { id: 'fr-feature', version: '1' } } };
}
