import { describe, expect, test } from 'vitest';
import { ask } from './fixtures/ask.js';
import { upload, withImage } from './fixtures/images.js';
import { useService } from './fixtures/use-service.js';

const service = useService();

/** One detection with this title and score, as v1 and v2 answer it. */
async function answersOf(title: string, score: number): Promise<readonly [v1: string, v2: string]> {
  const box = { xMin: 1, yMin: 2, xMax: 3, yMax: 4 };
  const detections = [{ label: { id: 'test:x', title }, score, box }];
  service().runner.script = async () => ({ detect: { calibration: null, detections } });
  const v1 = await ask(service(), 'POST /predict/object_detection?model_id=102&apikey=KEY', upload);
  const v2 = await ask(service(), 'PUT /predict?api_key=KEY', withImage({ model_id: 102 }));
  expect([v1.status, v2.status]).toEqual([200, 200]);
  return [v1.text, v2.text];
}

describe('JSON is written with ", " and ": " as separators, documented keys first in the order of the tables', () => {
  test.each([
    ['a:b, c', '"a:b, c"'],
    ['","', '"\\",\\""'],
    ['{"x":1,"y":[2]}', '"{\\"x\\":1,\\"y\\":[2]}"'],
    ['back\\slash\ttab\nline', '"back\\\\slash\\ttab\\nline"'],
  ])('%j inside a value stays as it is', async (title, written) => {
    const [v1, v2] = await answersOf(title, 0.5);
    const box = '"coordinates": {"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}';
    expect(v1).toBe(
      '{"status": "ok", "prediction_type": "object_detection", "predictions": ' +
        `[{"class_title": ${written}, "model_id": 102, "score": 0.5, ${box}}]}`,
    );
    expect(v2).toBe(
      `{"predictions": [{"class_title": ${written}, "score": 0.5, "model_id": "coco-fast", ` +
        `"model_title": "COCO objects, fast", ${box}}], "model_type": "object_detection", "status": 1, ` +
        '"status_description": "Successful prediction"}',
    );
  });

  test.each([
    ['Zürich', '"Z\\u00fcrich"'],
    ['猫', '"\\u732b"'],
    ['😀', '"\\ud83d\\ude00"'],
    ['\u2028\u007f\ud800', '"\\u2028\\u007f\\ud800"'],
  ])('non-ASCII characters as \\uXXXX: %s', async (title, written) => {
    for (const text of await answersOf(title, 0.5)) {
      expect(text).toContain(`"class_title": ${written}, `);
      expect(text).toMatch(/^[\x20-\x7e]*$/);
    }
  });

  test('what a client sent comes back escaped too, in an error', async () => {
    const { text } = await ask(
      service(),
      'POST /predict/image?apikey=KEY&model_id=M%C3%BCller%22%2C',
      upload,
    );
    expect(text).toContain(
      '"message": "model_id M\\u00fcller\\", is not one of your models; built in are imagenet (201)"',
    );
  });
});

describe('every score is written with a decimal point and without an exponent', () => {
  test.each([
    [1, '1.0'],
    [0, '0.0'],
    [1e-7, '0.0000001'],
    [1.5e-10, '0.00000000015'],
    [0.30000000000000004, '0.30000000000000004'],
  ])('%d as %s', async (score, written) => {
    for (const text of await answersOf('x', score)) {
      expect(text).toContain(`"score": ${written}, `);
      // What a typed reader does: a number without a point would be an int to it, and `as double` fails.
      for (const [, found = ''] of text.matchAll(/"score": ([^,}]+)/g)) expect(found).toMatch(/^\d+\.\d+$/);
    }
  });

  test('in general and custom recognition too', async () => {
    for (const line of ['POST /predict/image?apikey=KEY', 'POST /predict/image?model_id=201&apikey=KEY']) {
      const { text } = await ask(service(), line, upload);
      const scores = [...text.matchAll(/"score": ([^,}]+)/g)].map(([, found]) => found);
      expect(scores.length).toBeGreaterThan(1);
      for (const score of scores) expect(score).toMatch(/^\d+\.\d+$/);
    }
  });
});

test('keys keep the order of the tables in nested objects, additions after them', async () => {
  const { json } = await ask(service(), 'POST /predict/image?apikey=KEY', upload);
  const keys = (value: object) => Object.keys(value).join(', ');
  expect(keys(json)).toBe('status, predictions, texts, objects, faces, predicttype, fileid, predict_type');
  expect(keys(json.predictions[0])).toBe('class_title, order, parent_object, score');
  expect(keys(json.texts)).toBe('status, predictions, summary');
  expect(keys(json.texts.predictions[0])).toBe('text_value, coordinates, score, polygon');
  expect(keys(json.texts.summary[0])).toBe('text_value, count');
  expect(keys(json.objects)).toBe('predictions, summary');
  expect(keys(json.objects.predictions[0])).toBe('sub_predictions, object_title, coordinates, score');
  expect(keys(json.objects.predictions[0].sub_predictions[0])).toBe(
    'class_title, order, parent_object, score',
  );
  expect(keys(json.objects.summary[0])).toBe('count, object_title');
  expect(keys(json.faces)).toBe('face_count, predictions');
  expect(keys(json.faces.predictions[0])).toBe('face_name, coordinates');
});
