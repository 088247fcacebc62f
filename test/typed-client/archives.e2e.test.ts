import { createLynceusClient } from '@lynceus/client';
import { imageBytes } from '@lynceus/server/dist/http/fixtures/bodies.js';
import { facesAt } from '@lynceus/server/dist/http/fixtures/faces-at.js';
import { startTestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
import { expect, test } from 'vitest';

test('a perception is exported as it comes, and imported by another service', async () => {
  const [here, there] = await Promise.all([startTestService(), startTestService()]);
  try {
    const [from, to] = [here, there].map(({ base, key }) =>
      createLynceusClient({ baseUrl: base, apiKey: key }),
    );
    if (!from || !to) throw new Error('two clients');
    const { model_id: modelId } = await from.perceptions.create({ name: 'staff' });
    const ada = await from.people.create(modelId, { name: 'Ada', keyId: 'ada-1' });
    here.runner.script = async () => facesAt(0);
    await from.faceImages.add(imageBytes(3000), { personId: ada.id });
    await from.calibration.change(modelId, { midpoint: 0.4, slope: 9 });

    const archive = await new Response(await from.archives.export(modelId)).blob();
    const made = await to.archives.import(archive);
    expect(made).toMatchObject({ people: 1, images: 1, perception: { name: 'staff' } });
    const report = await to.calibration.read(made.perception.model_id);
    expect(report).toMatchObject({
      source: 'own',
      proposal: null,
      reason: expect.stringMatching(/25 people/),
    });
    expect((await to.calibration.reset(made.perception.model_id)).source).toBe('embedder');

    await expect(from.archives.export(99)).rejects.toMatchObject({ code: 'not_found' });
    await expect(to.archives.import(archive.slice(0, 3000))).rejects.toMatchObject({ code: 'bad_request' });
  } finally {
    await Promise.all([here.stop(), there.stop()]);
  }
});
