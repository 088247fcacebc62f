import type { Face, TaskResults } from '@lynceus/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { isBehindNginx, startTestService, type TestService } from '../../http/fixtures/test-service.js';

let service: TestService;
let key: string;
let account: number;
let serial = 0;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  ({ key, accountId: account } = await service.makeKey(`account-${serial}`));
  show(0);
});
afterAll(() => service.stop());

/** Faces that look in these directions of a plane: the cosine of two is that of the angle between them. */
function show(...directionsDeg: readonly number[]): void {
  const [drawn] = found.faces?.faces ?? [];
  if (drawn === undefined) throw new Error('the scripted runner finds a face');
  const faces = directionsDeg.map((deg): Face => {
    const angle = (deg * Math.PI) / 180;
    return { ...drawn, embedding: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
  });
  const results: TaskResults = { ...found, faces: { faces, embedder: { id: 'fr-feature', version: '1' } } };
  service.runner.script = async () => results;
}
const upload = () => {
  serial += 1;
  return multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(3000 + serial) }]);
};
const makePerception = (namesRecognition: boolean) =>
  service.faces.perceptions.create(account, { name: 'staff', namesRecognition });
async function enrol(perceptionId: number, keyId: string, directionDeg: number): Promise<void> {
  show(directionDeg);
  const query = `command=insert_person_image_key_id&model_id=${perceptionId}&key_id=${keyId}`;
  const { json } = await callV1(service, `/predict/face?${query}`, { sent: upload(), key });
  expect(json.status).toBeGreaterThan(0);
}
async function recognise(...directionsDeg: readonly number[]) {
  show(...directionsDeg);
  const { status, json } = await callV1(service, '/predict/image', { sent: upload(), key });
  expect(status).toBe(200);
  return {
    names: json.faces.predictions.map((face: { face_name: string }) => face.face_name),
    fileid: json.fileid,
  };
}
const isEmbedded = () => service.runner.seen.at(-1)?.options['faces'];

test('general recognition names people of marked perceptions, and strangers as unknown', async () => {
  const { id } = await makePerception(true);
  await enrol(id, 'Ada', 0);
  await enrol(id, 'Bob', 90);
  expect((await recognise(5, 85, 200)).names).toEqual(['Ada', 'Bob', 'unknown']);
});

test('the best over all marked perceptions is the name, and others name nobody', async () => {
  const [first, second, unmarked] = [
    await makePerception(true),
    await makePerception(true),
    await makePerception(false),
  ];
  await enrol(first.id, 'Near', 20);
  await enrol(second.id, 'Nearer', 10);
  await enrol(unmarked.id, 'Nearest', 0);
  expect((await recognise(0)).names).toEqual(['Nearer']);
});

test('what is kept of an analysis has the name and the id, and nothing that makes a face known again', async () => {
  const { id } = await makePerception(true);
  await enrol(id, 'Ada', 0);
  const { fileid } = await recognise(0, 180);
  const row = await service.database.query
    .selectFrom('analysis')
    .select('record')
    .where('fileid', '=', fileid)
    .executeTakeFirstOrThrow();
  const { faces } = JSON.parse(row.record).result;
  expect(faces.map((face: { person: unknown }) => face.person)).toEqual([
    { name: 'Ada', personId: 1001, perceptionId: id, similarity: expect.any(Number) },
    null,
  ]);
  expect(row.record).not.toContain('embedding');
});

test('an account without a marked perception pays for no description', async () => {
  const { id } = await makePerception(false);
  await enrol(id, 'Ada', 0);
  expect((await recognise(0)).names).toEqual(['unknown']);
  expect(isEmbedded()).toMatchObject({ embed: false });
});

test('nor does a request that asks for no faces', async () => {
  await makePerception(true);
  const { json } = await callV1(service, '/predict/image?parts=classes', { sent: upload(), key });
  expect(json.faces).toEqual({ face_count: 0, predictions: [] });
  expect(isEmbedded()).toBeUndefined();
});

test("another account's people name nobody", async () => {
  const { id } = await makePerception(true);
  await enrol(id, 'Ada', 0);
  ({ key, accountId: account } = await service.makeKey('other'));
  await makePerception(true);
  expect((await recognise(0)).names).toEqual(['unknown']);
});

test('a perception of another embedder is left out, which is logged once', async () => {
  const { id } = await makePerception(true);
  await service.database.write([
    service.database.query
      .updateTable('perception')
      .set({ embedder: 'older@1' })
      .where('account_id', '=', account)
      .where('id', '=', id),
  ]);
  const replicas = isBehindNginx ? 2 : 1;
  for (let calls = 0; calls < 2 * replicas; calls += 1)
    expect((await recognise(0)).names).toEqual(['unknown']);
  expect(
    service.logged(
      'the perception names no faces: its images are described by another embedder than faceChain has',
    ),
  ).toEqual(Array(replicas).fill(expect.objectContaining({ accountId: account, perceptionId: id })));
});
