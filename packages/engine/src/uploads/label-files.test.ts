import { describe, expect, test } from 'vitest';
import { colourNet } from './fixtures/colour-net.js';
import { readHere } from './fixtures/read-here.js';
import { readLabelFiles } from './label-files.js';

const read = (file: string, content: string | Uint8Array) =>
  readLabelFiles(new Map([[file, typeof content === 'string' ? Buffer.from(content) : content]]))?.names;

describe('names of classes are read from', () => {
  test.each<[string, string, string | Uint8Array]>([
    ["Keras' numbers by name, in any order", 'class_indices.json', '{"dog": 1, "cat": 0}'],
    [
      "Hugging Face's configuration",
      'export/config.json',
      '{"model_type": "vit", "id2label": {"0": "cat", "1": "dog"}}',
    ],
    ['names by number', 'index_to_class.json', '{"1": "dog", "0": "cat"}'],
    ["Keras' list of pairs", 'imagenet_class_index.json', '{"0": ["n02", "cat"], "1": ["n01", "dog"]}'],
    [
      'categories of COCO',
      'categories.json',
      '{"categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]}',
    ],
    ['a list', 'labels.json', '["cat", "dog"]'],
    ['a name a line', 'class_names.txt', 'cat\r\ndog\r\n'],
    ['names on one line', 'labels.txt', 'cat, dog'],
    ['numbers from 1', 'labelmap.txt', '1: cat\n2: dog'],
    ['numbers behind commas', 'labels.txt', '0,cat\n1,dog'],
    ["Darknet's names", 'obj.names', 'cat\ndog\n'],
    [
      "TensorFlow's label map",
      'label_map.pbtxt',
      "item {\n id: 1\n name: 'cat'\n}\nitem { id: 2 name: 'dog' }",
    ],
  ])('%s', (_name, file, content) => {
    expect(read(file, content)).toEqual(['cat', 'dog']);
  });

  test.each<[string, Uint8Array]>([
    ['Windows-1252', Buffer.from('M\xfcll\nK\xe4se', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFMüll\nKäse', 'utf16le')],
    ['UTF-8 with a mark', Buffer.from('\uFEFFMüll\nKäse')],
  ])('texts in %s', (_name, bytes) => {
    expect(read('labels.txt', bytes)).toEqual(['Müll', 'Käse']);
  });
});

test('numbers that belong to the names stay, and numbers without a name keep their place', () => {
  expect(read('labels.txt', '1 euro\n2 euro')).toEqual(['1 euro', '2 euro']);
  expect(read('labels.txt', '5 cent\n10 cent')).toEqual(['5 cent', '10 cent']);
  expect(read('coco_labels.txt', '0  person\n1  bicycle\n3  car')).toEqual([
    'person',
    'bicycle',
    'class 2',
    'car',
  ]);
});

test('a file without names is none', () => {
  expect(read('config.json', '{"hidden_size": 768}')).toBeUndefined();
  expect(read('labels.json', '{"a": "b"}')).toBeUndefined();
  expect(read('classes.json', 'no JSON')).toBeUndefined();
});

describe('beside a model', () => {
  test("Keras' class indices name its classes, and a note says which file it was", async () => {
    const files = { 'model.onnx': colourNet({}), 'class_indices.json': Buffer.from('{"red": 0, "blue": 1}') };
    const { recognition, notes } = await readHere(files);
    expect(recognition.plan.labels).toEqual(['red', 'blue']);
    expect(notes).toContain('The labels are those of class_indices.json.');
  });

  test("Hugging Face's files say labels and preprocessing", async () => {
    const { recognition } = await readHere({
      'onnx/model.onnx': colourNet({}),
      'config.json': Buffer.from(
        '{"architectures": ["ViTForImageClassification"], "id2label": {"0": "red", "1": "blue"}}',
      ),
      'preprocessor_config.json': Buffer.from(
        '{"image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5], "size": {"height": 16, "width": 16}}',
      ),
    });
    expect(recognition.plan).toMatchObject({
      labels: ['red', 'blue'],
      input: { fit: 'squash', scale: { mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5] } },
    });
  });

  test("Ultralytics' metadata.yaml and other files that are no model do no harm", async () => {
    const { recognition } = await readHere({
      'best.onnx': colourNet({}),
      'metadata.yaml': Buffer.from(
        'stride: 32\ntask: classify\nimgsz:\n- 16\n- 16\nnames:\n  0: red\n  1: blue\n',
      ),
      'README.md': Buffer.from('# Mine'),
    });
    expect(recognition.plan).toMatchObject({
      labels: ['red', 'blue'],
      input: { fit: 'centre', scale: { mean: [0], std: [255] } },
    });
  });
});
