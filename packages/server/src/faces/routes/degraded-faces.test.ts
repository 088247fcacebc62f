import type { FaceProblem } from '@lynceus/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formWith, jpeg, makeCompatKey } from '../../compat/common/fixtures/compat-client.js';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { facesAt, withDoubt, withProblems } from '../../http/fixtures/faces-at.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';

/** Faces of two people: their directions in a plane are so near that a search takes one for the other. */
const [ada, stranger] = [0, 10];
const degrading = ['blurred', 'covered', 'landmarks-implausible'] as const;

let service: TestService;
let perception: number;
let serial = 0;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  perception = await create({ decision_similarity: 0.6 });
});
afterAll(() => service.stop());

async function create(fields: object): Promise<number> {
  serial += 1;
  const body = { name: `staff ${serial}`, ...fields };
  return (await callApi(service, '/api/perceptions', { method: 'POST', body })).json.model_id;
}
function show(directionDeg: number, ...problems: readonly FaceProblem[]): void {
  const results = withProblems(facesAt(directionDeg), ...problems);
  service.runner.script = async () => results;
}
function showDoubtful(directionDeg: number): void {
  const results = withDoubt(facesAt(directionDeg), 1.2);
  service.runner.script = async () => results;
}
function newImage(): Buffer {
  serial += 1;
  return imageBytes(4000 + serial);
}
const postImage = (path: string) =>
  callApi(service, path, { method: 'POST', body: newImage(), headers: { 'content-type': 'image/jpeg' } });
const v1 = async (query: string, path = '/predict/face') => {
  const sent = multipart([{ name: 'image', fileName: 'a.jpg', content: newImage() }]);
  return (await callV1(service, `${path}?${query}`, { sent, key: service.key })).json;
};
const insert = (keyId: string) =>
  v1(`command=insert_person_image_key_id&model_id=${perception}&key_id=${keyId}`);
const search = () => postImage(`/api/perceptions/${perception}/search`);

/** One side degraded, by v1, which adds such faces: the enrolled one, or the one that is searched for. */
async function enrolAndShow(side: 'enrolled' | 'searched' | 'both', problem: FaceProblem): Promise<void> {
  show(ada, ...(side === 'searched' ? [] : [problem]));
  await insert('Ada');
  show(stranger, ...(side === 'enrolled' ? [] : [problem]));
}

describe.each(degrading)('a face with the problem %s', (problem) => {
  test.each(['enrolled', 'searched', 'both'] as const)('is no match on any interface: %s', async (side) => {
    await enrolAndShow(side, problem);
    const [face] = (await search()).json.faces;
    expect(face).toMatchObject({
      verdict: 'unsure',
      candidates: [{ name: 'Ada', is_match: false, is_degraded: true }],
    });
    expect(face.candidates[0].similarity).toBeCloseTo(0.59, 6);
    expect(face.false_match_rate).toBeGreaterThan(0.001);
    const found = await v1(`model_id=${perception}`);
    expect(found).toMatchObject({
      face_recog_hit: false,
      faces_detected: [],
      faces: [{ person_name: 'unknown', person_id: -1 }],
      similar_faces: [{ person_name: 'Ada' }],
    });
    for (const { similarity } of [...found.faces, ...found.similar_faces]) {
      expect(similarity).toBeCloseTo(0.59, 6);
    }
  });

  test('is refused by the management API, and added where its problems are accepted', async () => {
    show(ada, problem);
    for (const path of [`/api/perceptions/${perception}/images?key_id=k`, await pathOfNewPerson()]) {
      const refused = await postImage(path);
      expect([refused.status, refused.json]).toMatchObject([
        200,
        { outcome: 'refused', image: null, findings: [{ problem, advice: expect.any(String) }] },
      ]);
      const no = await postImage(`${path}${path.includes('?') ? '&' : '?'}accept_problems=false`);
      expect(no.json.outcome).toBe('refused');
      const added = await postImage(`${path}${path.includes('?') ? '&' : '?'}accept_problems=true`);
      expect([added.status, added.json]).toMatchObject([
        201,
        { outcome: 'added', findings: [{ problem }], image: { quality: { problems: [problem] } } },
      ]);
    }
  });

  test('is added by v1 with advice, unless the perception refuses its problem', async () => {
    show(ada, problem);
    const added = await insert('Ada');
    expect(added.status).toBeGreaterThan(0);
    expect(added.status_description).toMatch(
      /^success; (the face is (blurred|covered)|eyes, nose and mouth were not found with certainty): /,
    );
    const strict = await create({ refused_problems: [problem] });
    const path = `/api/perceptions/${strict}/images?key_id=k&accept_problems=true`;
    expect((await postImage(path)).json.outcome).toBe('refused');
  });
});

describe('a doubtful face', () => {
  test('is no match for an image that is doubtful too, on any interface', async () => {
    showDoubtful(ada);
    await insert('Ada');
    // A cosine of .57.
    showDoubtful(55);
    const [face] = (await search()).json.faces;
    expect(face).toMatchObject({
      verdict: 'unsure',
      quality: { doubt: 1.2, problems: [] },
      candidates: [{ name: 'Ada', is_match: false, is_degraded: true }],
    });
    expect(face.candidates[0].similarity).toBeCloseTo(0.59, 6);
    expect(await v1(`model_id=${perception}`)).toMatchObject({ face_recog_hit: false, faces_detected: [] });
  });

  test.each(['enrolled', 'searched'] as const)('matches where it alone is doubtful: %s', async (side) => {
    if (side === 'enrolled') showDoubtful(ada);
    else show(ada);
    expect((await insert('Ada')).status_description).toBe('success');
    if (side === 'searched') showDoubtful(stranger);
    else show(stranger);
    expect((await search()).json.faces[0]).toMatchObject({
      verdict: 'match',
      candidates: [{ is_match: true, is_degraded: false }],
    });
  });

  test('matches an image that is doubtful too where they are more alike than damage makes strangers', async () => {
    showDoubtful(ada);
    await insert('Ada');
    expect((await search()).json.faces[0]).toMatchObject({
      verdict: 'match',
      quality: { doubt: 1.2 },
      candidates: [{ name: 'Ada', is_match: true, is_degraded: false }],
    });
  });

  test('is found by a certain image of the person, although a doubtful one is more similar', async () => {
    show(ada);
    const certain = (await insert('Ada')).status;
    showDoubtful(110);
    await insert('Ada');
    // Cosines of .62 to the doubtful image, and of .53 to the certain one.
    showDoubtful(58);
    expect((await search()).json.faces[0]).toMatchObject({
      candidates: [{ name: 'Ada', is_match: true, is_degraded: false, image_id: certain }],
    });
  });
});

async function pathOfNewPerson(): Promise<string> {
  const path = `/api/perceptions/${perception}/people`;
  const { json } = await callApi(service, path, { method: 'POST', body: { name: 'Ada' } });
  return `/api/people/${json.id}/images`;
}

test('a clear face is found by a clear image, although a degraded one of the person is more similar', async () => {
  show(ada);
  const clear = (await insert('Ada')).status;
  show(stranger, 'blurred');
  await insert('Ada');
  show(stranger);
  expect((await search()).json.faces[0]).toMatchObject({
    verdict: 'match',
    candidates: [{ name: 'Ada', is_match: true, is_degraded: false, image_id: clear }],
  });
});

test('a face that a correction excludes is not found by a clear image that is less like it, beside a degraded one', async () => {
  const path = await pathOfNewPerson();
  show(0);
  await postImage(path);
  show(12, 'blurred');
  await postImage(`${path}?accept_problems=true`);
  show(12);
  expect((await search()).json.faces[0]).toMatchObject({ verdict: 'match' });
  show(20);
  expect((await postImage(path.replace(/images$/, 'corrections'))).status).toBe(201);
  show(12);
  expect((await search()).json.faces[0].candidates).toEqual([]);
});

test('an image that is embedded again is compared with clear images of its person alone, as at its enrolment', async () => {
  const path = await pathOfNewPerson();
  show(90, 'blurred');
  await postImage(`${path}?accept_problems=true`);
  show(0);
  const added = (await postImage(path)).json;
  expect(added.findings).toEqual([]);
  const again = `/api/face-images/${added.image.id}/re-embed`;
  const embedded = await callApi(service, again, { method: 'POST', body: {} });
  expect([embedded.status, embedded.json.findings]).toEqual([200, []]);
});

test('a person with a clear image comes before one whose degraded image is more similar', async () => {
  show(12);
  await insert('Clear');
  show(1, 'covered');
  await insert('Degraded');
  show(0);
  const { json } = await search();
  expect(json.faces[0].candidates.map(({ name }: { name: string }) => name)).toEqual(['Clear', 'Degraded']);
  expect(json.faces[0].verdict).toBe('match');
});

test('general recognition names no degraded face, and none by a degraded image', async () => {
  perception = await create({ names_recognition: true });
  const names = async () =>
    (await v1('', '/predict/image')).faces.predictions.map((face: { face_name: string }) => face.face_name);
  show(ada);
  await insert('Ada');
  show(180, 'blurred');
  await insert('Bob');
  show(ada);
  expect(await names()).toEqual(['Ada']);
  show(ada, 'blurred');
  expect(await names()).toEqual(['unknown']);
  show(180);
  expect(await names()).toEqual(['unknown']);
});

test('DeepStack names no degraded face, and two of them are no match', async () => {
  const { key } = await makeCompatKey(service, { protocol: 'deepstack', perception: String(perception) });
  const ask = async (path: string, form: FormData) => {
    form.append('api_key', key);
    const answer = await fetch(`${service.base}/v1/vision/face/${path}`, { method: 'POST', body: form });
    return JSON.parse(await answer.text());
  };
  show(ada, 'blurred');
  const registered = await ask('register', formWith(['image', jpeg], ['userid', 'Ada']));
  expect(registered).toMatchObject({ success: true });
  expect(await ask('recognize', formWith(['image', jpeg]))).toMatchObject({
    predictions: [{ userid: 'unknown', confidence: 0 }],
  });
  const match = await ask('match', formWith(['image1', jpeg], ['image2', jpeg]));
  expect(match.similarity).toBeCloseTo(0.59, 6);
});

test('CompreFace gives degraded faces a similarity below the decision point', async () => {
  const { key } = await makeCompatKey(service, { protocol: 'compreface', perception: String(perception) });
  const ask = async (path: string, form: FormData) => {
    const options = { method: 'POST', body: form, headers: { 'x-api-key': key } };
    const answer = await fetch(`${service.base}/api/v1${path}`, options);
    return JSON.parse(await answer.text());
  };
  show(ada, 'covered');
  const { image_id: id } = await ask('/recognition/faces?subject=Ada', formWith(['file', jpeg]));
  show(stranger);
  const found = await ask('/recognition/recognize', formWith(['file', jpeg]));
  expect(found.result[0].subjects[0].similarity).toBeCloseTo(0.59, 4);
  const stored = await ask(`/recognition/faces/${id}/verify`, formWith(['file', jpeg]));
  expect(stored.result[0].similarity).toBeCloseTo(0.59, 4);
  show(ada, 'blurred');
  const two = await ask('/verification/verify', formWith(['source_image', jpeg], ['target_image', jpeg]));
  expect(two.result[0].face_matches[0].similarity).toBeCloseTo(0.59, 4);
});

test('images of three people under one key id are added with a warning', async () => {
  const added = [];
  for (const direction of [0, 90, 180]) {
    show(direction);
    added.push(await insert('door'));
  }
  expect(added.map(({ status_description: text }) => text)).toEqual([
    'success',
    expect.stringMatching(/^success; .*does not look like the other images of this person/),
    expect.stringMatching(/^success; .*does not look like the other images of this person/),
  ]);
  show(270);
  const { json } = await postImage(`/api/perceptions/${perception}/images?key_id=door`);
  expect(json).toMatchObject({ outcome: 'added', findings: [{ problem: 'unlike-own-images' }] });
  show(5);
  expect((await postImage(`/api/perceptions/${perception}/images?key_id=door`)).json.findings).toEqual([
    expect.objectContaining({ problem: 'nearly-the-same' }),
  ]);
});
