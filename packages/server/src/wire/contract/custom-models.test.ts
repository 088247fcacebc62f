import { EngineError } from '@lynceus/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { multipart } from '../../http/fixtures/bodies.js';
import { isBehindNginx } from '../../http/fixtures/test-service.js';
import { newVersion } from '../../training/models/fixtures/stored-models.js';
import type { Model, ModelTask, ModelVersion } from '../../training/models/model.js';
import { customDetection, customRecognition, v2Classification, v2Detection } from './fixtures/answers.js';
import { ask } from './fixtures/ask.js';
import { image, upload, withImage } from './fixtures/images.js';
import { useImageHost } from './fixtures/use-image-host.js';
import { useService } from './fixtures/use-service.js';

/** Models that a customer made, by each operation that takes one. */

const service = useService();
const address = useImageHost();
const predictImage = 'POST /predict/image?apikey=KEY';
const detection = 'POST /predict/object_detection/?apikey=KEY';
const v2 = 'PUT /predict?api_key=KEY';

interface Made extends Model {
  readonly current: ModelVersion;
}
let animals: Made;
let logos: Made;
let empty: Model;
let perceptionId: number;

async function make(task: ModelTask, name: string): Promise<Made> {
  const { customModels, accountId } = service();
  const { models, versions } = customModels;
  const { id } = await models.create(accountId, { name, description: '', task });
  const family = task === 'classification' ? 'classifier' : 'detector';
  const current = await versions.add(accountId, id, await newVersion(versions, {}, family));
  return { ...(await models.read(accountId, id)), current };
}

beforeAll(async () => {
  const { customModels, accountId, faces } = service();
  animals = await make('classification', 'Tiere "Zoo"');
  logos = await make('object_detection', 'Logos');
  empty = await customModels.models.create(accountId, {
    name: 'empty',
    description: '',
    task: 'classification',
  });
  perceptionId = (await faces.perceptions.create(accountId, { name: 'staff' })).id;
});

const byNumberAndUid = (model: Model) => [String(model.id), model.uid];

describe('a model of the account, by number and by UID', () => {
  test('custom recognition answers its ranked classes, and the number as a string', async () => {
    for (const reference of byNumberAndUid(animals)) {
      const { status, text } = await ask(service(), `${predictImage}&model_id=${reference}`, upload);
      expect([status, text]).toEqual([200, customRecognition(undefined, String(animals.id))]);
      const byAddress = `GET /predict/image?apikey=KEY&model_id=${reference}&url=${encodeURIComponent(address())}`;
      expect((await ask(service(), byAddress)).text).toBe(customRecognition(address(), String(animals.id)));
    }
  });

  test('the kept result of a custom classifier has how unlike its training images the image is; the answer has not', async () => {
    const answer = await ask(service(), `${predictImage}&model_id=${animals.id}`, upload);
    expect(answer.text).not.toContain('unlike');
    const { json } = await callApi(service(), `/api/files/${answer.headers['x-file-id']}`);
    expect(json.result.unlike_training).toBe(0.25);
  });

  test('custom object detection answers its boxes, and the number', async () => {
    for (const reference of byNumberAndUid(logos)) {
      const { status, text } = await ask(service(), `${detection}&model_id=${reference}`, upload);
      expect([status, text]).toEqual([200, customDetection(logos.id)]);
    }
  });

  test('v2 answers the UID and the name', async () => {
    for (const model_id of [logos.id, ...byNumberAndUid(logos)]) {
      const { status, text } = await ask(service(), v2, withImage({ model_id }));
      expect([status, text]).toEqual([200, v2Detection(logos.uid, 'Logos')]);
    }
  });

  test('v2 answers the classes of a classifier, each with the whole image as its box', async () => {
    const { text } = await ask(service(), v2, withImage({ model_id: animals.uid }));
    expect(text).toBe(v2Classification(animals.uid, 'Tiere \\"Zoo\\"'));
  });

  test('model_id may stand in the form as well', async () => {
    const form = multipart([
      { name: 'model_id', content: String(animals.id) },
      { name: 'image', fileName: 'a', content: image },
    ]);
    const { text } = await ask(service(), predictImage, form);
    expect(text).toBe(customRecognition(undefined, String(animals.id)));
  });

  test('the thresholds of the call are those of its detector', async () => {
    await ask(service(), `${detection}&model_id=${logos.id}&conf_thresh=0.1&nms_thresh=0.2`, upload);
    // Whichever replica was asked.
    const dir = isBehindNginx ? expect.any(String) : service().customModels.files.folder(logos.current.uid);
    expect(service().runner.seen[0]?.options['detect']).toEqual({
      models: [{ id: logos.uid, version: logos.current.uid, dir }],
      minScore: 0.1,
      nmsIou: 0.2,
      oneLabel: false,
    });
    await ask(service(), `${detection}&model_id=${logos.id}&detail=high`, upload);
    expect(service().runner.seen.at(-1)?.options['detect']).toMatchObject({ minScore: 0.4, detail: 'high' });
  });

  test('a version that answers one label for an object does so from the next call on', async () => {
    const set = (oneLabel: boolean) =>
      callApi(service(), `/api/models/${logos.id}/versions/1/settings`, {
        method: 'PATCH',
        body: { one_label: oneLabel },
      });
    for (const oneLabel of [true, false]) {
      const { status, json } = await set(oneLabel);
      expect([status, json.number, json.one_label]).toEqual([200, 1, oneLabel]);
      await ask(service(), v2, withImage({ model_id: logos.id }));
      expect(service().runner.seen.at(-1)?.options['detect']).toMatchObject({ oneLabel });
    }
    const refused = await callApi(service(), `/api/models/${animals.id}/versions/1/settings`, {
      method: 'PATCH',
      body: { one_label: true },
    });
    expect([refused.status, refused.json.code]).toEqual([400, 'wrong_parameters']);
  });

  test('the version that was switched to is asked from the next call on, and the analysis is kept', async () => {
    const { customModels, accountId } = service();
    const { versions } = customModels;
    const asked = async () => {
      const { headers } = await ask(service(), `${predictImage}&model_id=${animals.id}`, upload);
      const kept = await callApi(service(), `/api/files/${headers['x-file-id']}`);
      expect([kept.status, kept.json.result.classes.length]).toEqual([200, 2]);
      expect(JSON.stringify(kept.json)).not.toContain(
        service().customModels.files.folder(animals.current.uid),
      );
      return service().runner.seen.at(-1)?.options['classify'];
    };
    const second = await versions.add(accountId, animals.id, await newVersion(versions));
    expect(await asked()).toMatchObject({ model: { version: second.uid } });
    await versions.activate(accountId, animals.id, 1);
    expect(await asked()).toMatchObject({ model: { id: animals.uid, version: animals.current.uid } });
  });
});

describe('a model that cannot be asked', () => {
  const wrong = (code: string, message: string, id: unknown) =>
    `{"status": "Error (Wrong Parameters)", "error": {"code": "${code}", "message": ${JSON.stringify(message)}, "request_id": "${id}"}}`;
  const wrongV2 = (status: number, code: string, message: string, id: unknown) =>
    `{"predictions": [], "model_type": null, "status": ${status}, "status_description": "Error (Wrong Parameters)", ` +
    `"error": {"code": "${code}", "message": ${JSON.stringify(message)}, "request_id": "${id}"}}`;

  async function expectWrong(line: string, code: string, message: string) {
    const before = await service().callsUsed();
    const { status, text, headers } = await ask(service(), line, upload);
    expect([status, text]).toEqual([400, wrong(code, message, headers['x-request-id'])]);
    expect(await service().callsUsed()).toBe(before);
  }
  async function expectWrongV2(model_id: unknown, status: number, code: string, message: string) {
    const answer = await ask(service(), v2, withImage({ model_id }));
    expect([answer.status, answer.text]).toEqual([
      400,
      wrongV2(status, code, message, answer.headers['x-request-id']),
    ]);
  }

  test('of the other type is wrong parameters', async () => {
    await expectWrong(
      `${predictImage}&model_id=${logos.id}`,
      'wrong_parameters',
      `model_id ${logos.uid} is for object_detection; this operation takes a model for classification`,
    );
    await expectWrong(
      `${detection}&model_id=${animals.uid}`,
      'wrong_parameters',
      `model_id ${animals.uid} is for classification; this operation takes a model for object_detection`,
    );
  });

  test('a perception is of the wrong kind, and so is a model where a face is searched', async () => {
    const message = `model_id ${perceptionId} is a perception, which /predict/face searches; this operation takes a model`;
    await expectWrong(`${predictImage}&model_id=${perceptionId}`, 'wrong_parameters', message);
    await expectWrong(`${detection}&model_id=${perceptionId}`, 'wrong_parameters', message);
    await expectWrongV2(perceptionId, -4, 'wrong_parameters', message);
    await expectWrong(
      `POST /predict/face?apikey=KEY&model_id=${animals.id}`,
      'wrong_parameters',
      `model_id ${animals.id} is a model for classification; this operation takes a perception`,
    );
  });

  test('without a version is answered that it has to be trained', async () => {
    const message = `model_id ${empty.id} has no version yet: train it, or upload one`;
    await expectWrong(`${predictImage}&model_id=${empty.id}`, 'wrong_parameters', message);
    await expectWrongV2(empty.id, -4, 'wrong_parameters', message);
  });

  test("another account's is as one that there is not", async () => {
    const { key } = await service().makeKey('another');
    for (const reference of [...byNumberAndUid(animals), '00000000-0000-4000-8000-000000000000', '9999']) {
      const { status, text, headers } = await ask(
        service(),
        `POST /predict/image?apikey=${key}&model_id=${reference}`,
        upload,
      );
      const message = `model_id ${reference} is not one of your models; built in are imagenet (201)`;
      expect([status, text]).toEqual([400, wrong('wrong_parameters', message, headers['x-request-id'])]);
    }
    await expectWrongV2(
      '9999',
      -2,
      'invalid_model',
      'model_id 9999 is not one of your models; built in are coco-accurate (101), coco-fast (102), imagenet (201)',
    );
  });

  test('whose version was deleted while it was asked is to be asked again', async () => {
    service().runner.script = async () => {
      throw new EngineError('model-missing', 'gone');
    };
    const { status, json, headers } = await ask(service(), `${predictImage}&model_id=${animals.id}`, upload);
    expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'service_busy', '1']);
  });
});
