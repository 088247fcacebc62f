import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { facesAt } from '../../http/fixtures/faces-at.js';
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
afterEach(async () => {
  expect(await service.filesInSpool()).toEqual([]);
});
afterAll(async () => {
  expect(await service.callsUsed()).toBe(0);
  await service.stop();
});

describe('an image that is added', () => {
  test('is an image with its findings, read back byte for byte', async () => {
    const ada = await api.makePerson(staff, 'Ada');
    const bytes = imageBytes(30_000);
    service.runner.script = async () => facesAt(0, 90);
    const form = multipart([{ name: 'image', fileName: 'a.jpg', content: bytes }]);
    const added = await callApi(service, `/api/people/${ada}/images`, {
      method: 'POST',
      body: form.body,
      headers: form.headers,
    });
    expect([added.status, added.json]).toEqual([
      201,
      {
        outcome: 'added',
        findings: [{ problem: 'several-faces', advice: expect.stringMatching(/2 faces.*crop/) }],
        image: {
          id: expect.any(Number),
          model_id: staff,
          person_id: ada,
          key_id: null,
          content: { kind: 'jpeg', width: 640, height: 480, bytes: 30_000 },
          box: { x_min: 100.4, y_min: 50.5, x_max: 180.6, y_max: 150.2 },
          score: 0.99,
          quality: expect.objectContaining({ size_px: 90, problems: [] }),
          created_at: expect.any(String),
        },
      },
    ]);
    const { image } = added.json;
    expect((await api.get(`/api/face-images/${image.id}`)).json).toEqual(image);
    const content = await request(`${service.base}/api/face-images/${image.id}/content`, {
      headers: { 'x-api-key': service.key },
    });
    expect(content.headers['content-type']).toBe('image/jpeg');
    expect(Buffer.from(await content.body.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('may make its person by key_id', async () => {
    const path = `/api/perceptions/${staff}/images?key_id=k-7`;
    const [first, second] = [await api.send(path, 40), await api.send(path, 50)];
    expect([first.status, first.json.image.key_id]).toEqual([201, 'k-7']);
    const { person_id: person } = first.json.image;
    expect(second.json.image.person_id).toBe(person);
    expect((await api.get(`/api/people/${person}`)).json).toMatchObject({ name: 'k-7', images: 2 });
  });

  test('without a face, or with a problem that the perception refuses, is a result and not kept', async () => {
    const strict = await api.makePerception({ refused_problems: ['several-faces'] });
    const path = `/api/people/${await api.makePerson(strict, 'Ada')}/images`;
    const none = await api.send(path);
    expect([none.status, none.json]).toEqual([200, { outcome: 'no-face', image: null, findings: [] }]);
    const refused = await api.send(path, 0, 90);
    expect([refused.status, refused.json]).toEqual([
      200,
      { outcome: 'refused', image: null, findings: [expect.objectContaining({ problem: 'several-faces' })] },
    ]);
    expect((await api.get(path)).json.data).toEqual([]);
  });

  test('shows several faces only as far as they count', async () => {
    const strict = await api.makePerception({ refused_problems: ['several-faces'] });
    const path = `/api/people/${await api.makePerson(strict, 'Ada')}/images`;
    const { faces, ...results } = facesAt(0, 90);
    const [ada, other] = faces?.faces ?? [];
    if (ada === undefined || other === undefined) throw new Error('two faces are shown');
    const sizePx = ada.quality.sizePx / 3;
    const beside = (score: number) => ({ ...other, score, quality: { ...other.quality, sizePx } });
    const send = async (score: number) => {
      service.runner.script = async () => ({
        ...results,
        faces: { faces: [ada, beside(score)], embedder: faces?.embedder ?? null },
      });
      const form = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(1000 + score * 100) }]);
      const { json } = await callApi(service, path, {
        method: 'POST',
        body: form.body,
        headers: form.headers,
      });
      return [json.outcome, json.findings.map(({ problem }: { problem: string }) => problem)];
    };
    expect(await send(0.8)).toEqual(['added', []]);
    expect(await send(0.95)).toEqual(['refused', expect.arrayContaining(['several-faces'])]);
  });

  test.each([
    ['no image', '', undefined, 400, 'no_file'],
    ['an address that is none', '?url=ftp%3A%2F%2Fa', undefined, 400, 'wrong_parameters'],
    ['one too large', '', imageBytes(5_000_000), 413, 'file_too_large'],
    ['JSON', '', { image: 'x' }, 400, 'no_file'],
    ['an unknown parameter', '?person=1', imageBytes(100), 400, 'wrong_parameters'],
  ])('is refused: %s', async (_what, query, body, status, code) => {
    const ada = await api.makePerson(staff, 'Refused');
    const answer = await callApi(service, `/api/people/${ada}/images${query}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
      ...(Buffer.isBuffer(body) ? { headers: { 'content-type': 'image/jpeg' } } : {}),
    });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('is not read before the key is good', async () => {
    const answer = await faceCalls(service, 'wrong').send('/api/people/1001/images', 0);
    expect([answer.status, answer.json.code]).toEqual([401, 'invalid_api_key']);
  });
});

describe('images', () => {
  test('are listed by perception and by person, and deleted one by one or many at once', async () => {
    const modelId = await api.makePerception();
    const [ada, bob] = [await api.makePerson(modelId, 'Ada'), await api.makePerson(modelId, 'Bob')];
    const ids = [await api.addImage(ada, 0), await api.addImage(bob, 60), await api.addImage(ada, 5)];
    const idsAt = async (path: string) => (await api.get(path)).json.data.map(({ id }: { id: number }) => id);
    expect(await idsAt(`/api/perceptions/${modelId}/images`)).toEqual([...ids].reverse());
    expect(await idsAt(`/api/people/${ada}/images?limit=1`)).toEqual([ids[2]]);
    expect((await api.remove(`/api/face-images/${ids[0]}`)).json).toMatchObject({ images: 1, people: 0 });
    expect((await api.remove(`/api/face-images/${ids[0]}`)).status).toBe(404);

    const elsewhere = await api.addImage(await api.makePerson(staff, 'Else'), 0);
    const many = await api.post(`/api/perceptions/${modelId}/images/delete`, {
      image_ids: [...ids, elsewhere, 9_999_999],
    });
    expect([many.status, many.json]).toEqual([200, expect.objectContaining({ images: 2, embeddings: 2 })]);
    expect(await idsAt(`/api/perceptions/${modelId}/images`)).toEqual([]);
    expect((await api.get(`/api/face-images/${elsewhere}`)).status).toBe(200);
    const searched = await api.send(`/api/perceptions/${modelId}/search`, 0);
    expect(searched.json.faces[0].candidates).toEqual([]);
  });
});

describe('a search', () => {
  test('answers candidates, verdict, margin and false-match rate of each face', async () => {
    const modelId = await api.makePerception();
    const [ada, bob] = [await api.makePerson(modelId, 'Ada', 'a'), await api.makePerson(modelId, 'Bob')];
    const image = await api.addImage(ada, 0);
    await api.addImage(bob, 80);
    const { status, json } = await api.send(`/api/perceptions/${modelId}/search`, 2, 200);
    expect(status).toBe(200);
    expect(json.image).toEqual({ kind: 'jpeg', width: 640, height: 480 });
    const [known, stranger] = json.faces;
    expect(known).toMatchObject({ verdict: 'match', liveness: null });
    expect(known.candidates[0]).toEqual({
      person_id: ada,
      name: 'Ada',
      key_id: 'a',
      image_id: image,
      similarity: expect.any(Number),
      is_match: true,
      is_degraded: false,
    });
    expect(known.margin).toBeCloseTo(known.candidates[0].similarity - known.candidates[1].similarity, 9);
    expect(known.false_match_rate).toBeLessThan(0.001);
    expect(stranger).toMatchObject({ verdict: 'unknown' });
    expect(stranger.false_match_rate).toBeGreaterThan(0.5);
    const foreign = await api.makePerson(staff, 'Elsewhere');
    const wrong = await api.send(`/api/perceptions/${modelId}/search?person_id=${foreign}`, 2);
    expect([wrong.status, wrong.json.code]).toEqual([404, 'not_found']);
  });

  test('of an empty perception knows nobody', async () => {
    const { json } = await api.send(`/api/perceptions/${await api.makePerception()}/search`, 2);
    expect(json.faces).toMatchObject([
      { verdict: 'unknown', margin: null, false_match_rate: null, candidates: [] },
    ]);
  });
});
