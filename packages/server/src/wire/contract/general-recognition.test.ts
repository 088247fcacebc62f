import { describe, expect, test } from 'vitest';
import { found } from '../../http/fixtures/scripted-runner.js';
import { ask } from './fixtures/ask.js';
import { upload } from './fixtures/images.js';
import { useService } from './fixtures/use-service.js';

const service = useService();
const image = 'POST /predict/image?apikey=KEY';
const titles = (list: readonly { class_title: string }[]) => list.map((each) => each.class_title);

describe('predicttype: dense (default) or basic; in the answer it is what was done', () => {
  test('dense: the part of each detected object is classified by itself, the ten largest', async () => {
    const { json } = await ask(service(), image, upload);
    expect([json.predicttype, json.predict_type]).toEqual(['dense', 'dense']);
    expect(service().runner.seen[0]?.options['segment']).toMatchObject({ maxSegments: 10 });
  });

  test('further objects have []', async () => {
    const { json } = await ask(service(), image, upload);
    const subs = json.objects.predictions.map((each: { sub_predictions: [] }) =>
      titles(each.sub_predictions),
    );
    expect(subs).toEqual([['husky'], [], []]);
  });

  test('an image without objects has the whole-image classes only', async () => {
    service().runner.script = async () => ({
      ...found,
      detect: { calibration: null, detections: [] },
      segment: { segments: [] },
    });
    const { json } = await ask(service(), image, upload);
    expect(titles(json.predictions)).toEqual(['malamute', 'café']);
    expect(json.objects).toEqual({ predictions: [], summary: [] });
  });

  test('in basic, sub_predictions is present and []', async () => {
    const { json } = await ask(service(), `${image}&predicttype=basic`, upload);
    for (const object of json.objects.predictions) expect(object.sub_predictions).toEqual([]);
    expect([json.predicttype, json.predict_type]).toEqual(['basic', 'basic']);
    expect(service().runner.seen[0]?.tasks).not.toContain('segment');
  });
});

describe('parts=classes,objects,texts,faces chooses what runs; default all', () => {
  test.each([
    ['', ['readText', 'faces', 'detect', 'segment', 'classify']],
    ['classes', ['classify']],
    ['objects', ['detect']],
    ['texts,faces', ['readText', 'faces']],
    [' texts,texts, ,', ['readText']],
  ])('%j', async (parts, tasks) => {
    await ask(service(), `${image}&parts=${encodeURIComponent(parts)}`, upload);
    expect(service().runner.seen[0]?.tasks).toEqual(tasks);
  });

  test('text_languages are those that text is read in; none for all', async () => {
    const optionsFor = async (list: string) => {
      await ask(service(), `${image}&parts=texts&text_languages=${encodeURIComponent(list)}`, upload);
      return service().runner.seen.at(-1)?.options['readText'];
    };
    expect(await optionsFor('fr, DE')).toMatchObject({ languages: ['de', 'fr'] });
    expect(await optionsFor('')).not.toHaveProperty('languages');
  });

  describe('the setting textLanguages', () => {
    const other = useService({ textLanguages: 'pl,zh' });
    test('is used where a request says none', async () => {
      await ask(other(), `${image}&parts=texts`, upload);
      expect(other().runner.seen.at(-1)?.options['readText']).toMatchObject({ languages: ['pl', 'zh'] });
      await ask(other(), `${image}&parts=texts&text_languages=de`, upload);
      expect(other().runner.seen.at(-1)?.options['readText']).toMatchObject({ languages: ['de'] });
    });
  });

  test('what was not chosen is present and empty', async () => {
    const classes = (await ask(service(), `${image}&parts=classes`, upload)).json;
    expect(titles(classes.predictions)).toEqual(['malamute', 'café']);
    expect(classes.objects).toEqual({ predictions: [], summary: [] });
    expect(classes.texts).toEqual({ status: 'ok, results limited to 15', predictions: [], summary: [] });
    expect(classes.faces).toEqual({ face_count: 0, predictions: [] });
    const objects = (await ask(service(), `${image}&parts=objects`, upload)).json;
    expect([objects.predictions, objects.objects.predictions.length]).toEqual([[], 3]);
    const rest = (await ask(service(), `${image}&parts=texts,faces`, upload)).json;
    expect([rest.texts.predictions.length, rest.faces.face_count, rest.predictions]).toEqual([2, 1, []]);
  });

  test.each(['words', 'classes,words', 'Classes', 'toString', 'classes;faces', ','])(
    '%j is refused with the list of those that there are',
    async (parts) => {
      const { status, json } = await ask(service(), `${image}&parts=${encodeURIComponent(parts)}`, upload);
      expect([status, json.error.message]).toEqual([
        400,
        'parts must be a list of classes, objects, texts, faces, separated by commas',
      ]);
    },
  );

  describe('of the settings run unless a request chooses', () => {
    const other = useService({ recognitionParts: 'texts,objects', missingModels: ['onet'] });
    test('and one without models is refused', async () => {
      const { json } = await ask(other(), image, upload);
      expect([json.predictions.length, json.texts.predictions.length]).toEqual([0, 2]);
      await ask(other(), `${image}&parts=classes`, upload);
      expect(other().runner.seen.map(({ tasks }) => tasks)).toEqual([['readText', 'detect'], ['classify']]);
      const refused = await ask(other(), `${image}&parts=faces`, upload);
      expect([refused.status, refused.json.error.message]).toEqual([
        400,
        'parts: faces is not available; its models are not installed',
      ]);
    });
  });
});

describe('a built-in model that was removed while the service runs', () => {
  const other = useService({ missingModels: ['coco-ssd', 'inception-v3'] });
  test.each([
    ['parts=objects', /the model coco-accurate is missing; .* lynceus models install coco-ssd$/],
    ['parts=classes', /the model imagenet is missing; .* lynceus models install inception-v3$/],
  ])('is named with the command that brings it again: %s', async (parts, message) => {
    const { status, json, headers } = await ask(other(), `${image}&${parts}`, upload);
    expect([status, json.error.code]).toEqual([503, 'model_missing']);
    expect(json.error.message).toMatch(message);
    expect(headers['retry-after']).toBe('60');
    expect(await other().callsUsed()).toBe(0);
  });
});

describe('whole-image predictions', () => {
  test('are at most ten classes and the distinct object titles, ranked by score', async () => {
    const { json } = await ask(service(), image, upload);
    expect(service().runner.seen[0]?.options['classify']).toMatchObject({ topK: 10 });
    expect(titles(json.predictions)).toEqual(['dog', 'malamute', 'cat', 'café']);
    const scores = json.predictions.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('a title found as a class and as an object is one entry, with parent_object', async () => {
    const classes = [{ label: { id: 'test:dog', title: 'dog' }, score: 0.2 }];
    service().runner.script = async () => ({ ...found, classify: { classes } });
    const { json } = await ask(service(), image, upload);
    expect(titles(json.predictions)).toEqual(['dog', 'cat']);
    expect(json.predictions[0]).toEqual({ class_title: 'dog', order: '1', parent_object: 'dog', score: 1 });
  });
});

test('order is a numeric string for whole-image predictions and an integer in sub_predictions; count is a numeric string', async () => {
  const { json } = await ask(service(), image, upload);
  expect(json.predictions.map(({ order }: { order: unknown }) => order)).toEqual(['1', '2', '3', '4']);
  expect(json.objects.predictions[0].sub_predictions[0].order).toBe(1);
  expect(json.objects.summary).toEqual([
    { count: '2', object_title: 'dog' },
    { count: '1', object_title: 'cat' },
  ]);
  const custom = (await ask(service(), `${image}&model_id=201`, upload)).json;
  expect(custom.predictions.map(({ order }: { order: unknown }) => order)).toEqual([1, 2]);
});

test('prediction_type in custom recognition, and predict_type beside it with the same value', async () => {
  const { json } = await ask(service(), `${image}&model_id=201`, upload);
  expect([json.prediction_type, json.predict_type]).toEqual(['image', 'image']);
});

test('texts: at most 15 entries in reading order of the best 15, and a summary that counts them', async () => {
  const box = { xMin: 0, yMin: 0, xMax: 9, yMax: 9 };
  const corner = { x: 0, y: 0 };
  const lines = Array.from({ length: 40 }, (_, index) => ({
    text: `line ${index % 10}`,
    score: index % 2 === 0 ? 0.9 - index / 1000 : 0.5,
    polygon: [corner, corner, corner, corner] as const,
    box,
  }));
  service().runner.script = async () => ({ readText: { lines } });
  const { texts } = (await ask(service(), `${image}&parts=texts`, upload)).json;
  expect(texts.status).toBe('ok, results limited to 15');
  const shown = texts.predictions.map((line: { text_value: string }) => line.text_value);
  expect(shown).toEqual(Array.from({ length: 15 }, (_, index) => `line ${(2 * index) % 10}`));
  expect(texts.summary).toEqual([0, 2, 4, 6, 8].map((n) => ({ text_value: `line ${n}`, count: '3' })));
});

test('faces: face_name is unknown for a face that no perception names', async () => {
  const { json } = await ask(service(), image, upload);
  expect(json.faces).toEqual({
    face_count: 1,
    predictions: [{ face_name: 'unknown', coordinates: '100,181,51,150' }],
  });
});
