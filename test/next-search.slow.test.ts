import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerception } from '#bench/faces-round-trip/enrol.js';
import { api } from '#bench/load/api-kinds.js';
import { formOf } from '#bench/load/form.js';
import { readObject } from '#bench/load/outcome.js';
import { createVisitor, type Visitor } from '#bench/load/visitor.js';
import { type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveDefaultModels } from './support/default-models.js';

const clients = 32;

// Drawn faces all look alike, so what distinguishes them here is the image that is found first. A stronger one, with faces
// that have nothing in common and on both databases, is beside the adapter: wire/v1/next-search.test.ts.
describe.skipIf(!(await haveDefaultModels()))('32 clients who write and read at once', () => {
  let service: Service;
  let modelId: number;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_RECOGNITION_PARTS: 'faces' });
    modelId = await makePerception(service);
  });
  afterAll(() => service.stop());

  const listIn = (value: unknown) => (Array.isArray(value) ? value.map(readObject) : []);
  /** Of a size and turn of its own. */
  const draw = async (at: number) =>
    sharp(await drawFaces(200, 200, [{ x: 100, y: 100, unit: 3.8 + at / 40, tiltDeg: at - clients / 2 }]))
      .modulate({ brightness: 0.9 + (at % 5) / 20 })
      .jpeg()
      .toBuffer();
  const firstFound = async (visitor: Visitor, image: Buffer) => {
    const path = `/api/perceptions/${modelId}/search`;
    const sent = api(service.key, 'POST', path);
    const headers = { ...sent.headers, 'content-type': 'application/octet-stream' };
    const { outcome, text } = await visitor.ask({ ...sent, headers, body: image });
    const [face] = listIn(readObject(text)['faces']);
    expect([outcome, face === undefined]).toEqual(['200', false]);
    return listIn(face?.['candidates'])[0]?.['image_id'];
  };

  test('find by the next search what was just inserted, and never what was just deleted', {
    timeout: 300_000,
  }, async () => {
    const work = async (_: unknown, at: number) => {
      const visitor = createVisitor(service.url);
      const image = await draw(at);
      const command = `insert_person_image_key_id&key_id=${at}&model_id=${modelId}`;
      const path = `/predict/face?command=${command}&apikey=${service.key}`;
      const inserted = await visitor.ask({ method: 'POST', path, ...formOf(image) });
      const imageId = Number(readObject(inserted.text)['status']);
      expect(imageId, inserted.text).toBeGreaterThan(1000);
      expect(await firstFound(visitor, image), `client ${at}`).toBe(imageId);
      if (at % 2 === 1) {
        const { outcome } = await visitor.ask(api(service.key, 'DELETE', `/api/face-images/${imageId}`));
        expect(outcome).toBe('200');
        expect(await firstFound(visitor, image), `client ${at}`).not.toBe(imageId);
      }
      await visitor.close();
      return { at, imageId, image };
    };
    const done = await Promise.all(Array.from({ length: clients }, work));
    const visitor = createVisitor(service.url);
    for (const { at, imageId, image } of done) {
      expect((await firstFound(visitor, image)) === imageId, `client ${at}`).toBe(at % 2 === 0);
    }
    await visitor.close();
  });
});
