import { createHash } from 'node:crypto';
import type { TaskResults } from '@lynceus/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vectorOf } from '../../faces/index/fixtures/vectors.js';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';

const clients = 32;
const steps = 4;
/** Only the very image is so similar: any two others are nearly at right angles. */
const same = 0.99;

let service: TestService;
let modelId: number;
beforeAll(async () => {
  service = await startTestService();
  service.runner.script = async (_signal, bytes) => faceOf(bytes);
  modelId = (await service.faces.perceptions.create(service.accountId, { name: 'staff' })).id;
});
afterAll(() => service.stop());

/** Every image shows a face of its own, the same one each time. */
function faceOf(bytes: Buffer): TaskResults {
  const seed = createHash('sha256').update(bytes).digest().readUInt32LE();
  const faces = (found.faces?.faces ?? []).map((face) => ({ ...face, embedding: vectorOf(seed, 512) }));
  return { faces: { faces, embedder: { id: 'fr-feature', version: '1' } } };
}

interface Kept {
  readonly bytes: Buffer;
  readonly personId: number;
  readonly imageId: number;
}

const ask = (query: string, bytes?: Buffer) =>
  callV1(service, `/predict/face?${query}`, {
    sent: bytes && multipart([{ name: 'image', fileName: 'a.jpg', content: bytes }]),
  });

/** Who has this very image, by the next search; undefined when nobody has. */
async function whoHas(bytes: Buffer): Promise<number | undefined> {
  const { status, json } = await ask(`model_id=${modelId}`, bytes);
  expect(status).toBe(200);
  const [best] = json.similar_faces;
  return best?.similarity > same ? best.person_id : undefined;
}

async function insert(to: string, bytes: Buffer): Promise<number> {
  const { json } = await ask(to, bytes);
  expect(json).toMatchObject({ status_description: expect.stringMatching(/^success/) });
  return json.status;
}

async function remove({ imageId }: Kept): Promise<void> {
  const { status, json } = await callApi(service, `/api/face-images/${imageId}`, { method: 'DELETE' });
  expect([status, json.images, json.embeddings]).toEqual([200, 1, 1]);
}

/** Every second client by key id. Keeps the images of its even steps, and deletes those of the others. */
async function work(client: number, kept: Kept[], deleted: Kept[]): Promise<void> {
  const made = await ask(`command=create_person&person_name=${client}&model_id=${modelId}`);
  for (let step = 0; step < steps; step += 1) {
    const bytes = imageBytes(2000 + client * steps + step);
    const isByKey = client % 2 === 1;
    const to = isByKey
      ? `command=insert_person_image_key_id&key_id=${client}&model_id=${modelId}`
      : `command=insert_person_image&person_id_filter=${made.json.person_id}`;
    const imageId = await insert(to, bytes);
    const personId = await whoHas(bytes);
    expect(personId, `the next search of client ${client}`).toBeDefined();
    if (!isByKey) expect(personId).toBe(made.json.person_id);
    const image = { bytes, personId: personId ?? 0, imageId };
    if (step % 2 === 0) {
      kept.push(image);
      continue;
    }
    await remove(image);
    expect(await whoHas(bytes), `deleted by client ${client}`).toBeUndefined();
    deleted.push(image);
    // Another person's, which must be found whatever is written beside it.
    const other = kept[(client * 7) % kept.length];
    if (other) expect(await whoHas(other.bytes)).toBe(other.personId);
  }
}

test('32 clients who write and read at once: what an insert answered is found by the next search, what was deleted never again', {
  timeout: 300_000,
}, async () => {
  const [kept, deleted]: [Kept[], Kept[]] = [[], []];
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client, kept, deleted)));
  expect([kept.length, deleted.length]).toEqual([(clients * steps) / 2, (clients * steps) / 2]);
  for (const { bytes, personId } of kept) expect(await whoHas(bytes)).toBe(personId);
  for (const { bytes } of deleted) expect(await whoHas(bytes)).toBeUndefined();
});
