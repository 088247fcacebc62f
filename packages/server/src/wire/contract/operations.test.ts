import { describe, expect, test } from 'vitest';
import { found } from '../../http/fixtures/scripted-runner.js';
import { customDetection, customRecognition, general, v2Detection } from './fixtures/answers.js';
import { ask } from './fixtures/ask.js';
import { base64str, image, upload, withImage } from './fixtures/images.js';
import { useImageHost } from './fixtures/use-image-host.js';
import { useService } from './fixtures/use-service.js';

const service = useService();
const address = useImageHost();
const encoded = () => encodeURIComponent(address());

const expectImageSeen = () => {
  expect(service().runner.seen).toHaveLength(1);
  expect(service().runner.seen[0]?.bytes.equals(image)).toBe(true);
};

describe('1. Object detection (v2)', () => {
  test('PUT /predict?api_key=<API_KEY> with base64str, model_id, conf_thresh, nms_thresh', async () => {
    const body = { base64str, model_id: 'coco-fast', conf_thresh: 0.4, nms_thresh: 0.45 };
    const { status, headers, text } = await ask(service(), 'PUT /predict?api_key=KEY', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(v2Detection());
    expectImageSeen();
  });

  test('conf_thresh is the minimum confidence, nms_thresh selects the best box per object', async () => {
    await ask(service(), 'PUT /predict?api_key=KEY', withImage({ conf_thresh: 0, nms_thresh: 1 }));
    expect(service().runner.seen[0]?.options['detect']).toMatchObject({ minScore: 0, nmsIou: 1 });
  });

  test('a classification model answers its classes with score and the whole image as box', async () => {
    const { text } = await ask(service(), 'PUT /predict?api_key=KEY', withImage({ model_id: 'imagenet' }));
    const box = '"coordinates": {"xmin": 0, "ymin": 0, "xmax": 640, "ymax": 480}';
    const model = '"model_id": "imagenet", "model_title": "ImageNet classes"';
    expect(text).toBe(
      `{"predictions": [{"class_title": "malamute", "score": 0.75, ${model}, ${box}}, ` +
        `{"class_title": "caf\\u00e9", "score": 0.0000001, ${model}, ${box}}], ` +
        '"model_type": "classification", "status": 1, "status_description": "Successful prediction"}',
    );
  });
});

describe('2. General recognition, local image (v1)', () => {
  test('POST /predict/image?apikey=<API_KEY>, multipart with one file part named image', async () => {
    const { status, headers, text, json } = await ask(service(), 'POST /predict/image?apikey=KEY', upload);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(general(json.fileid));
    expectImageSeen();
  });
});

describe('3. General recognition, image address (v1)', () => {
  test('POST /predict/image?url=<image_url>&apikey=<API_KEY> (no body)', async () => {
    const { text, json } = await ask(service(), `POST /predict/image?url=${encoded()}&apikey=KEY`);
    expect(text).toBe(general(json.fileid, address()));
    expectImageSeen();
  });

  test('the same query with GET and a Content-Type: application/json header', async () => {
    const { text, json } = await ask(service(), `GET /predict/image?url=${encoded()}&apikey=KEY`, {
      headers: { 'content-type': 'application/json' },
    });
    expect(text).toBe(general(json.fileid, address()));
    expectImageSeen();
  });
});

describe('4. Custom recognition (v1)', () => {
  test('the form of operation 2 with model_id=<model_id>', async () => {
    const { text } = await ask(service(), 'POST /predict/image?apikey=KEY&model_id=201', upload);
    expect(text).toBe(customRecognition());
    expectImageSeen();
  });

  test.each(['GET', 'POST'])('the form of operation 3 with model_id=<model_id>, by %s', async (method) => {
    const line = `${method} /predict/image?url=${encoded()}&apikey=KEY&model_id=201`;
    expect((await ask(service(), line)).text).toBe(customRecognition(address()));
    expectImageSeen();
  });
});

describe('5. Custom object detection (v1)', () => {
  test.each(['POST', 'GET'])('by address: %s /predict/object_detection/?url=…', async (method) => {
    const line = `${method} /predict/object_detection/?url=${encoded()}&apikey=KEY&model_id=102`;
    expect((await ask(service(), line)).text).toBe(customDetection(102));
    expectImageSeen();
  });

  test('by upload: POST /predict/object_detection/?model_id=<model_id>&apikey=<API_KEY>', async () => {
    const line = 'POST /predict/object_detection/?model_id=102&apikey=KEY';
    expect((await ask(service(), line, upload)).text).toBe(customDetection(102));
    expectImageSeen();
  });
});

describe('what the field lists promise beside the samples', () => {
  test('nothing found is success: empty arrays, face_count 0', async () => {
    service().runner.script = async () => ({
      detect: { calibration: null, detections: [] },
      classify: { classes: [] },
      readText: { lines: [] },
      faces: { faces: [], embedder: found.faces?.embedder ?? { id: '', version: '' } },
      segment: { segments: [] },
    });
    const v2 = await ask(service(), 'PUT /predict?api_key=KEY', withImage());
    expect([v2.status, v2.text]).toEqual([
      200,
      '{"predictions": [], "model_type": "object_detection", "status": 1, "status_description": "Successful prediction"}',
    ]);
    const v1 = await ask(service(), 'POST /predict/image?apikey=KEY', upload);
    expect([v1.status, v1.text]).toEqual([
      200,
      '{"status": "ok", "predictions": [], "texts": {"status": "ok, results limited to 15", "predictions": [], ' +
        '"summary": []}, "objects": {"predictions": [], "summary": []}, "faces": {"face_count": 0, "predictions": []}, ' +
        `"predicttype": "dense", "fileid": "${v1.json.fileid}", "predict_type": "dense"}`,
    ]);
    const custom = await ask(service(), 'POST /predict/object_detection/?apikey=KEY', upload);
    expect(custom.text).toBe('{"status": "ok", "prediction_type": "object_detection", "predictions": []}');
  });

  test('no deprecation header and no version negotiation', async () => {
    const { headers } = await ask(service(), 'POST /predict/image?apikey=KEY', {
      ...upload,
      headers: { ...upload.headers, accept: 'text/html', 'accept-version': '1' },
    });
    for (const name of ['deprecation', 'sunset', 'warning', 'link', 'accept-version', 'vary'])
      expect(headers).not.toHaveProperty(name);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
