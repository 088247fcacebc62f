import { describe, expect, test } from 'vitest';
import { formWith } from '../common/fixtures/compat-client.js';
import { file, image, useCompreface } from './fixtures/compreface-client.js';

const client = useCompreface();
const { makeKey, manage, ask, show, enrol, subjects, perceptionOf } = client;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('recognition', () => {
  test('an image is enrolled, recognized, listed, sent, and deleted', async () => {
    const id = await enrol('Ada', 0);
    expect(id).toMatch(uuid);
    const seen = await ask('POST', '/recognition/recognize', file());
    expect(seen).toMatchObject({ status: 200 });
    expect(seen.json).toEqual({
      result: [
        {
          box: { probability: 0.99, x_max: 181, y_max: 150, x_min: 100, y_min: 51 },
          subjects: [{ subject: 'Ada', similarity: expect.any(Number) }],
        },
      ],
    });
    expect(seen.json.result[0].subjects[0].similarity).toBeGreaterThan(0.9);
    expect((await ask('GET', '/recognition/faces')).json).toEqual({
      faces: [{ image_id: id, subject: 'Ada' }],
      ...{ page_number: 0, page_size: 20, total_pages: 1, total_elements: 1 },
    });
    for (const path of [`/recognition/faces/${id}/img`, `/static/${client.key}/images/${id}`]) {
      const sent = await ask('GET', path, path.startsWith('/static') ? { key: null } : {});
      expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(sent.text.length).toBeGreaterThan(100);
    }
    const deleted = await ask('DELETE', `/recognition/faces/${id}`);
    expect(deleted).toMatchObject({ status: 200, json: { image_id: id, subject: 'Ada' } });
    expect((await ask('GET', `/recognition/faces/${id}/img`)).json.code).toBe(44);
    expect(await subjects()).toEqual(['Ada']);
  });

  test('the nearest subject is named however low, many where they are asked for, each name once', async () => {
    await enrol('Ada', 0);
    await enrol('Grace', 40);
    await enrol('Adele', 10);
    const { perception } = await perceptionOf(client.key);
    const { data } = await manage(`/api/perceptions/${perception}/people?search=Adele`);
    await manage(`/api/people/${data[0].id}`, { name: 'Ada' }, 'PATCH');
    show(130);
    const one = await ask('POST', '/recognition/recognize', file());
    expect(one.json.result[0].subjects).toMatchObject([{ subject: 'Grace' }]);
    expect(one.json.result[0].subjects[0].similarity).toBeLessThan(0.5);
    const many = await ask('POST', '/recognition/recognize?prediction_count=5', file());
    expect(many.json.result[0].subjects.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Grace',
      'Ada',
    ]);
  });

  test('a face in an empty collection has no subject', async () => {
    expect((await ask('POST', '/recognition/recognize', file())).json.result).toMatchObject([
      { subjects: [] },
    ]);
  });

  test('limit, det_prob_threshold and what the key allows choose among the faces', async () => {
    show(0, 20, 40);
    const count = async (query: string, own = client.key) =>
      (await ask('POST', `/recognition/recognize?${query}`, { ...file(), key: own })).json.result?.length;
    expect(
      await Promise.all(['limit=0', 'limit=2', 'limit=', 'det_prob_threshold=0.9'].map((q) => count(q))),
    ).toEqual([3, 2, 3, 3]);
    expect((await ask('POST', '/recognition/recognize?det_prob_threshold=0.995', file())).json.code).toBe(28);
    expect(await count('limit=0', await makeKey('few', { max_predictions: 1 }))).toBe(1);
    const strict = await makeKey('strict', { min_confidence: 0.995 });
    expect(await count('det_prob_threshold=0.1', strict)).toBeUndefined();
  });

  test('an image that was cut out before is one face, whatever else it shows', async () => {
    await enrol('Ada', 0);
    show(0, 20, 40);
    const cropped = await ask(
      'POST',
      '/recognition/recognize?detect_faces=false&det_prob_threshold=1',
      file(),
    );
    expect(cropped).toMatchObject({ status: 200 });
    expect(cropped.json.result).toEqual([
      {
        box: { probability: 1, x_min: 0, y_min: 0, x_max: 640, y_max: 480 },
        subjects: [{ subject: 'Ada', similarity: expect.any(Number) }],
      },
    ]);
    expect(client.service.runner.seen.at(-1)?.options).toMatchObject({ faces: { isCropped: true } });
    expect((await ask('POST', '/recognition/recognize?detect_faces=true', file())).json.result).toHaveLength(
      3,
    );
  });

  test('plugins that there are, and the status, are answered where they are asked for', async () => {
    const { json } = await ask(
      'POST',
      '/recognition/recognize?face_plugins=age,gender,mask,calculator,landmarks,pose&status=true',
      file(),
    );
    expect(json.plugins_versions).toEqual({ detector: 'lynceus', calculator: expect.any(String) });
    expect(Object.keys(json.result[0]).sort()).toEqual([
      'box',
      'execution_time',
      'landmarks',
      'pose',
      'subjects',
    ]);
    expect(json.result[0]).toMatchObject({
      landmarks: [
        [120, 80],
        [160, 80],
        [140, 100],
        [125, 120],
        [155, 120],
      ],
      pose: { yaw: 3, pitch: -2, roll: 0 },
      execution_time: { detector: expect.any(Number) },
    });
  });

  test('an image is taken as base64 text in JSON, small and large', async () => {
    for (const size of [0, 40_000, 2_000_000]) {
      const bytes = Buffer.concat([image(), Buffer.alloc(size)]);
      const { status } = await ask('POST', '/recognition/recognize', {
        json: { file: bytes.toString('base64') },
      });
      expect(status).toBe(200);
      expect(client.service.runner.seen.at(-1)?.bytes).toEqual(bytes);
    }
  });

  test('each prediction is a counted call under its own name, and lists are not', async () => {
    const used = (await client.service.callsUsed()) ?? 0;
    const id = await enrol('Ada', 0);
    await ask('POST', '/recognition/recognize', file());
    await ask('POST', '/detection/detect', file());
    await ask('POST', `/recognition/faces/${id}/verify`, file());
    const two = formWith(['source_image', image()], ['target_image', image()]);
    await ask('POST', '/verification/verify', { form: two });
    expect(await client.service.callsUsed()).toBe(used + 5);
    for (const path of ['faces', 'subjects', `faces/${id}/img`]) await ask('GET', `/recognition/${path}`);
    await ask('DELETE', `/recognition/faces/${id}`);
    expect(await client.service.callsUsed()).toBe(used + 5);
    const { data } = await manage('/api/files?limit=2');
    expect(data.map(({ operation }: { operation: string }) => operation)).toEqual([
      'compreface.detect',
      'compreface.recognize',
    ]);
  });
});

describe('detection and verification', () => {
  test('boxes of faces', async () => {
    const { json } = await ask('POST', '/detection/detect?face_plugins=landmarks&status=true', file());
    expect(json.result).toMatchObject([
      { box: { probability: 0.99, x_min: 100 }, landmarks: expect.any(Array), execution_time: {} },
    ]);
    expect(json.result[0].subjects).toBeUndefined();
  });

  const isAlike = ({ status, json }: Awaited<ReturnType<typeof ask>>) => {
    expect(status).toBe(200);
    expect(json.result).toMatchObject([
      { source_image_face: { box: { x_min: 100 } }, face_matches: [{ box: { x_min: 100 } }] },
    ]);
    expect(json.result[0].face_matches[0].similarity).toBeGreaterThan(0.9);
  };

  test('two images of a form, in any order', async () => {
    isAlike(
      await ask('POST', '/verification/verify?status=true', {
        form: formWith(['target_image', image()], ['source_image', image()]),
      }),
    );
  });

  test.each([10, 30_000, 900_000])('two images in JSON, of %i bytes more', async (size) => {
    const [first, second] = [1, 2].map((at) => Buffer.concat([image(), Buffer.alloc(size, at)]));
    const json = { source_image: first?.toString('base64'), target_image: second?.toString('base64') };
    isAlike(await ask('POST', '/verification/verify', { json }));
    const seen = client.service.runner.seen.slice(-2).map(({ bytes }) => bytes.length);
    expect(seen.sort()).toEqual([first?.length, second?.length].sort());
  });
});

describe('parameters in the fields of a form', () => {
  const withFields = (...fields: [string, string][]) => ({ form: formWith(['file', image()], ...fields) });

  test('enrol a subject', async () => {
    const answer = await ask('POST', '/recognition/faces', withFields(['subject', 'Ada Lovelace']));
    expect(answer).toMatchObject({ status: 201, json: { subject: 'Ada Lovelace' } });
    const weak = await ask(
      'POST',
      '/recognition/faces',
      withFields(['subject', 'Ada'], ['det_prob_threshold', '0.995']),
    );
    expect(weak).toMatchObject({ status: 400, json: { code: 28 } });
  });

  test('choose faces, subjects, plugins and the status of every prediction', async () => {
    const id = await enrol('Ada', 0);
    await enrol('Grace', 40);
    show(0, 20, 40);
    const fields: [string, string][] = [
      ['limit', '2'],
      ['prediction_count', '2'],
      ['face_plugins', 'landmarks,pose'],
      ['status', 'true'],
    ];
    const recognized = await ask('POST', '/recognition/recognize', withFields(...fields));
    expect(recognized.json.result).toHaveLength(2);
    expect(recognized.json.result[0].subjects).toHaveLength(2);
    const two: [string, Buffer][] = [
      ['source_image', image()],
      ['target_image', image()],
    ];
    const verified = await ask('POST', '/verification/verify', { form: formWith(...two, ...fields) });
    const answers = [
      recognized.json.result,
      (await ask('POST', '/detection/detect', withFields(...fields))).json.result,
      (await ask('POST', `/recognition/faces/${id}/verify`, withFields(...fields))).json.result,
      verified.json.result[0].face_matches,
    ];
    for (const result of answers) {
      expect(result).toHaveLength(2);
      expect(result[0]).toMatchObject({
        landmarks: expect.any(Array),
        pose: expect.any(Object),
        execution_time: expect.any(Object),
      });
    }
    const cropped = await ask('POST', '/recognition/recognize', withFields(['detect_faces', 'false']));
    expect(cropped.json.result).toMatchObject([{ box: { probability: 1, x_min: 0 } }]);
  });

  test('those of the query come first, and a wrong one is refused', async () => {
    show(0, 20, 40);
    const answer = await ask('POST', '/recognition/recognize?limit=1', withFields(['limit', '2']));
    expect(answer.json.result).toHaveLength(1);
    // A parameter that the client has not set.
    const unset = await ask('POST', '/recognition/recognize?limit=undefined', withFields(['limit', '2']));
    expect(unset.json.result).toHaveLength(2);
    const wrong = await ask('POST', '/detection/detect', withFields(['limit', 'many']));
    expect(wrong).toMatchObject({ status: 400, json: { code: 26 } });
  });

  test.each([
    ['a form with parts', () => formWith(['subject', 'Ada'])],
    ['a URL-encoded form', () => new URLSearchParams({ subject: 'Ada' })],
  ])('choose whose images are listed and deleted: %s', async (_case, form) => {
    await enrol('Ada', 0);
    await enrol('Grace', 40);
    expect((await ask('DELETE', '/recognition/faces', { form: form() })).json).toEqual({ deleted: 1 });
    expect(await subjects()).toEqual(['Grace']);
  });
});

describe('queries as clients write them', () => {
  test('the SDK puts ? where & belongs', async () => {
    const answer = await ask('POST', '/recognition/faces?subject=Ada?det_prob_threshold=0.8', file());
    expect(answer).toMatchObject({ status: 201, json: { subject: 'Ada' } });
    const strict = await ask('POST', '/recognition/faces?subject=Ada?det_prob_threshold=0.995', file());
    expect(strict).toMatchObject({ status: 400, json: { code: 28 } });
  });

  test('a name may have a question mark, a plus, a percent sign, and letters of any script', async () => {
    for (const [query, name] of [
      ['Who?', 'Who?'],
      ['Ada%20Lovelace', 'Ada Lovelace'],
      ['Ada+King', 'Ada King'],
      ['100%', '100%'],
      ['%E5%B1%B1%E7%94%B0', '山田'],
    ] as const) {
      const answer = await ask('POST', `/recognition/faces?subject=${query}`, file());
      expect([answer.status, answer.json.subject]).toEqual([201, name]);
    }
  });

  test.each([
    '?&limit=1',
    '?face_plugins=undefined',
    '?limit=',
    '?limit=undefined&status=null',
    '?',
    '??limit=1',
  ])('recognize%s', async (query) => {
    expect((await ask('POST', `/recognition/recognize${query}`, file())).status).toBe(200);
  });

  test.each(['limit=-1', 'limit=many', 'det_prob_threshold=1.5', 'prediction_count=0'])(
    '%s is refused',
    async (query) => {
      const answer = await ask('POST', `/recognition/recognize?${query}`, file());
      expect(answer).toMatchObject({ status: 400, json: { code: 26 } });
    },
  );
});
