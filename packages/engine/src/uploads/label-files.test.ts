import { describe, expect, test } from 'vitest';
import { hintsBeside } from './files-beside.js';
import { colourNet } from './fixtures/colour-net.js';
import { readHere } from './fixtures/read-here.js';
import { type SeeingOutput, seeingNet } from './fixtures/seeing-net.js';
import { changed } from './fixtures/tiny-nets.js';
import { writeZip } from './fixtures/write-zip.js';
import type { ImportOptions } from './import-options.js';
import { readLabelFiles } from './label-files.js';
import { metadataHints } from './metadata-hints.js';
import { unpack } from './unpack.js';

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
    ['numbers in another order', 'labels.txt', '1 dog\n0 cat'],
    ['numbers in another order behind colons', 'labels.txt', '2: dog\n1: cat\n'],
    ['numbers in another order with commas', 'labels.txt', '1,dog\n0,cat'],
    ['numbers in another order with tabs', 'labels.txt', '1\tdog\n\n0\tcat'],
    ['numbers behind the names', 'labels.txt', 'dog 1\ncat 0\n'],
    ['numbers behind the names and equals signs', 'labels.txt', 'dog = 2\ncat = 1\n'],
    ['lines after a comment', 'labels.txt', '# classes\n\ncat\ndog\n'],
    ['numbered lines after a comment', 'labels.txt', '# classes\n1 dog\n0 cat\n'],
    ['CSV after a comment', 'labels.csv', '# classes, by number\n1,dog\n0,cat\n'],
    ['a list in YAML', 'labels.yaml', '- cat\n- dog\n'],
    ['a field of YAML', 'classes.yml', 'version: 1\nnames: [cat, dog]\n'],
    ['names by number in YAML', 'export/labels.yaml', 'names:\n  1: dog\n  0: cat\n'],
    ['numbers by name in YAML', 'labels.yaml', 'dog: 1\ncat: 0\n'],
    ["Darknet's names", 'obj.names', 'cat\ndog\n'],
    [
      'CSV with an identifier beside the name',
      'labels.csv',
      'index,mid,display_name\n1,/m/1,"dog"\n0,/m/0,"cat"\n',
    ],
    ['CSV with numbers from 1', 'class_map.csv', 'class_id,name,count\r\n1,cat,7\r\n2,dog,9\r\n'],
    ['CSV whose first column has no heading', 'classes.csv', ',label\n0,cat\n1,dog\n'],
    ['CSV without a heading', 'labels.csv', '0,cat\n1,dog\n'],
    ['CSV with the name first', 'labels.csv', 'cat;0\ndog;1\n'],
    ['a column of names', 'class_names.csv', 'name\ncat\ndog\n'],
    ['TSV', 'labels.tsv', 'label\tid\ncat\t0\ndog\t1\n'],
    ['names by number from 1', 'classes.json', '{"1": "cat", "2": "dog"}'],
    ['numbers by name as texts', 'classes.json', '{"cat": "0", "dog": "1"}'],
    ["ImageNet's identifiers before the names", 'synset.txt', 'n01440764 cat\nn01443537 dog\n'],
    ["ImageNet's identifiers as numbers of names", 'LOC_synset_mapping.txt', 'n01440764 cat\nn01443537 dog'],
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

test('a name in quotes may have the separator, and a table whose column of names nobody knows is none', () => {
  expect(read('labels.csv', 'id,name\n0,"tench, Tinca"\n1,"a ""b"""\n')).toEqual(['tench, Tinca', 'a "b"']);
  expect(read('labels.csv', 'x,y,z\na,b,c\n')).toBeUndefined();
  expect(read('label_counts.csv', 'label,count\ncat,1\n')).toBeUndefined();
});

describe('numbers that do not count the classes stay in the names', () => {
  test.each([
    ['10 cents\n20 marks\n5 pence', true],
    ['0 red\n3 blue\n1 green', true],
    ['5 cents\n10 cents', false],
    ['3 red\n3 blue', false],
    ['Boeing 737\nAirbus 320', true],
    ['red\n2 blue', false],
  ])('%j', (text, isNoted) => {
    const [name, files] = ['labels.txt', new Map([['labels.txt', Buffer.from(text)]])];
    const labels = readLabelFiles(files);
    expect(labels?.names).toEqual(text.split('\n'));
    expect(labels?.note?.startsWith(`${name}: The numbers in its lines do not count`) ?? false).toBe(isNoted);
  });

  test('with a note, unless other labels count', async () => {
    const files = { 'model.onnx': colourNet({}), 'labels.txt': Buffer.from('7 red\n3 blue') };
    const { notes, recognition } = await readHere(files);
    expect(recognition.plan.labels).toEqual(['7 red', '3 blue']);
    expect(notes.join()).toContain('do not count from 0 or 1');
    expect((await readHere(files, { labels: ['a', 'b'] })).notes.join()).not.toContain('do not count');
  });
});

test.each([
  ['names', '["cat", "dog"]'],
  ['names', "['cat', 'dog']"],
  ['names', 'cat, dog'],
  ['classes', '["cat", "dog"]'],
  ['classes', "('cat', 'dog')"],
  ['class_names', 'cat,dog'],
  ['labels', '["cat", "dog"]'],
  ['labels', "{1: 'dog', 0: 'cat'}"],
  ['id2label', '{"0": "cat", "1": "dog"}'],
])('the metadata %s of a file may be %s', (key, value) => {
  expect(metadataHints(new Map([[key, value]])).labels).toEqual(['cat', 'dog']);
});

test.each(['80', 'cat', '[cat, dog]', "['cat', 3]", 'a: b, c'])(
  'the metadata %j names no classes',
  (value) => {
    expect(metadataHints(new Map([['classes', value]])).labels).toBeUndefined();
  },
);

describe('a first class that is called like a heading is a class', () => {
  test.each<[string, readonly string[]]>([
    ['title\nplain text\nabandon\nfigure', ['title', 'plain text', 'abandon', 'figure']],
    ['0,title\n1,plain text\n2,abandon', ['title', 'plain text', 'abandon']],
    ['title,0\nplain text,1', ['title', 'plain text']],
    ['0,no\n1,yes', ['no', 'yes']],
    ['no\nyes', ['no', 'yes']],
  ])('%j', (text, names) => {
    expect(read('labels.csv', text)).toEqual(names);
  });

  test.each([
    ['name\nred\nblue', ['red', 'blue']],
    ['title\nred\nblue', ['red', 'blue']],
    ['name\nblue', ['name', 'blue']],
    ['title\nblue', ['title', 'blue']],
  ])('of %j the outputs of the model say which', async (text, names) => {
    const files = { 'model.onnx': colourNet({}), 'labels.csv': Buffer.from(text) };
    expect((await readHere(files)).recognition.plan.labels).toEqual(names);
  });
});

describe('the first line of a column of labels beside a detector', () => {
  const yolo8: SeeingOutput = {
    ...{ name: 'out', row: ['cx', 'cy', 'w', 'h', 0.001, 'score'], shape: 'columns' },
    others: { count: 83, row: [0, 0, 0, 0, 0, 0] },
  };
  const yolo5: SeeingOutput = {
    ...{ name: 'out', row: ['cx', 'cy', 'w', 'h', 'score', 0.001, 1], shape: 'rows' },
    others: { count: 251, row: [0, 0, 0, 0, 0, 0, 0] },
  };
  const finished: SeeingOutput = {
    ...{ name: 'out', row: ['x1', 'y1', 'x2', 'y2', 'score', 1], shape: 'rows' },
    others: { count: 9, row: [0, 0, 0, 0, 0, 0] },
  };

  test.each<[string, SeeingOutput, string, readonly string[]]>([
    ['YOLOv8', yolo8, 'name\ncat\ndog', ['cat', 'dog']],
    ['YOLOv8', yolo8, 'name\ndog', ['name', 'dog']],
    ['YOLOv5', yolo5, 'name\ncat\ndog', ['cat', 'dog']],
    ['YOLOv5', yolo5, 'title\ndog', ['title', 'dog']],
    ['finished rows', finished, 'name\ncat\ndog', ['cat', 'dog']],
    ['finished rows', finished, 'title\ncat\ndog', ['title', 'cat', 'dog']],
  ])('%s: %j', async (_name, output, text, names) => {
    const files = { 'model.onnx': seeingNet({ outputs: [output] }), 'labels.csv': Buffer.from(text) };
    expect((await readHere(files)).recognition.plan.labels).toEqual(names);
  });
});

describe('numbers that do not number the classes are left out', () => {
  test.each([
    'class,number\ncat,120\ndog,230',
    'number,class\n7,cat\n7,dog',
    'id,name\n1200,cat\n2300,dog',
    'cat,120\ndog,230',
  ])('%j', (text) => {
    expect(read('labels.csv', text)).toEqual(['cat', 'dog']);
  });

  test('and small gaps keep their place', () => {
    expect(read('labels.csv', 'id,name\n1,cat\n3,dog')).toEqual(['cat', 'class 2', 'dog']);
    expect(read('labels.csv', 'class_id,name\n9,dog')).toHaveLength(9);
  });
});

test('metadata and files of names that are too large are in a note', () => {
  const notesOf = (file: string, bytes: number) =>
    hintsBeside(new Map([[file, Buffer.alloc(bytes, ' ')]])).notes;
  expect(notesOf('metadata.yaml', 1_000_001)).toEqual([expect.stringContaining('write it as JSON')]);
  expect(notesOf('labels.txt', 2_000_001)).toEqual([expect.stringContaining('labels.txt is not read')]);
  expect(notesOf('metadata.yaml', 999_999)).toBeUndefined();
  expect(notesOf('weights.bin', 3_000_000)).toBeUndefined();
  const names = metadataHints(new Map([['names', ' '.repeat(1_000_001)]]));
  expect(names.notes).toEqual([expect.stringContaining('Give labels')]);
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

describe('numbers', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['from 1 by key, as from 1 by line', 'names.json', '{"1": "cat", "2": "dog"}', ['cat', 'dog']],
    ['from 1 by name', 'class_to_idx_labels.json', '{"dog": 2, "cat": 1}', ['cat', 'dog']],
    [
      'of a label map with gaps',
      'map.pbtxt',
      'item { id: 3 name: "cat" } item { id: 5 name: "dog" }',
      [...['class 1', 'class 2', 'cat', 'class 4', 'dog']],
    ],
    [
      'of a label map from 0',
      'map.pbtxt',
      'item { id: 0 name: "cat" } item { id: 2 name: "dog" }',
      [...['cat', 'class 1', 'dog']],
    ],
    ['by key with gaps', 'names.json', '{"1": "cat", "3": "dog"}', ['cat', 'class 2', 'dog']],
    [
      'of categories in another order',
      'categories.json',
      '[{"id": 2, "name": "dog"}, {"id": 1, "name": "cat"}]',
      [...['cat', 'dog']],
    ],
    [
      'of categories with gaps do not count',
      'categories.json',
      '[{"id": 4, "name": "cat"}, {"id": 9, "name": "dog"}]',
      [...['cat', 'dog']],
    ],
  ])('%s', (_name, file, content, names) => {
    expect(read(file, content)).toEqual(names);
  });

  test.each([
    ['metadata.json', '{"version": 1, "epochs": 50}'],
    ['metadata.json', '{"version": 0, "epochs": 1}'],
    ['classifier_config.json', '{"input_size": 224, "num_classes": 10}'],
    ['classifier_config.json', '{"use_softmax": 0, "num_classes": 1}'],
    ['class_weights.json', '{"cat": 1, "dog": 3}'],
    ['class_weights.json', '{"cat": 1, "dog": 2}'],
    ['class-weights.txt', 'cat 1\ndog 3'],
    ['label_counts.json', '{"cat": 0, "dog": 1}'],
    ['class_sizes.json', '{"cat": 12, "dog": 40}'],
    ['class_sizes.json', '{"cat": 0, "dog": 0.5, "cow": 2}'],
  ])('that do not count classes make no labels: %s %s', (file, content) => {
    expect(read(file, content)).toBeUndefined();
  });

  test('labels in a field of such a file are read', () => {
    expect(read('metadata.json', '{"version": 1, "labels": ["cat", "dog"]}')).toEqual(['cat', 'dog']);
    expect(read('class_config.json', '{"size": 224, "id2label": {"0": "cat"}}')).toEqual(['cat']);
  });
});

test("a label map's texts may have quotes, braces, comments and messages inside", () => {
  const map = String.raw`
    # item { id: 9 name: "nothing" }
    item: { id: 1, name: 'it\'s', }
    item {
      name: "n02" id: 2 display_name: "a \"{cat}\" # 1"
      keypoints { id: 7 label: "nose" }
    }
    item { name: 'K\303\244se'; id: 3 }`;
  expect(read('map.pbtxt', map)).toEqual(["it's", 'a "{cat}" # 1', 'Käse']);
  expect(read('map.pbtxt', 'item { id: 1 }')).toBeUndefined();
});

describe('files of the greatest size are read in a time that grows with it:', () => {
  const fill = (text: string) => text.repeat(Math.floor(1_900_000 / text.length));
  test.each([
    ['items that do not end', 'map.pbtxt', fill('item { ')],
    ['strings that do not end', 'map.pbtxt', `item { name: ${fill('"\\')}`],
    ['escaped quotes', 'map.pbtxt', fill('\\"')],
    ['tabs and a strange end of line', 'labels.txt', `1${fill('\t')}a\u2028b`],
    ['numbers after a strange end', 'labels.txt', `a${fill('\t')}1\u2028b 1`],
    ['quotes in YAML', 'labels.yaml', fill("'a', ").slice(0, 900_000)],
    ['names by number', 'names.json', `{${fill('"1":"a",')}"2":"b"}`],
    [
      'numbers by name',
      'names.json',
      `{${Array.from({ length: 180_000 }, (_, at) => `"${at}x":${at}`).join()}}`,
    ],
  ])('%s', (_name, file, content) => {
    const start = process.cpuUsage();
    read(file, content);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  test.each(['metadata.json', 'data.yaml'])('20,000 names in %s', (file) => {
    const list = Array.from({ length: 20_000 }, (_, at) => `name ${at}`);
    const yaml = `names:\n${list.map((name, at) => `  ${at}: ${name}\n`).join('')}`;
    const content = file === 'data.yaml' ? yaml : JSON.stringify({ names: { ...list } });
    const start = process.cpuUsage();
    expect(hintsBeside(new Map([[file, Buffer.from(content)]])).labels).toEqual(list);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(8);
  });
});

test('metadata: the names of digits are numbers, a list is bounded, and a file without hints hides no other', () => {
  const labels = (...files: [string, string][]) =>
    hintsBeside(new Map(files.map(([name, content]) => [name, Buffer.from(content)]))).labels;
  expect(labels(['data.yaml', 'names: [0, 1, 2]'])).toEqual(['0', '1', '2']);
  expect(labels(['data.yaml', 'names:\n  0: 7\n  1: eight\n'])).toEqual(['7', 'eight']);
  expect(labels(['data.yaml', `names: ${JSON.stringify(new Array(20_001).fill('a'))}`])).toBeUndefined();
  expect(labels(['metadata.json', '{"version": 1}'], ['data.yaml', 'names: [cat, dog]'])).toEqual([
    'cat',
    'dog',
  ]);
});

test('a file without names is none', () => {
  expect(read('config.json', '{"hidden_size": 768}')).toBeUndefined();
  expect(read('labels.json', '{"a": "b"}')).toBeUndefined();
  expect(read('classes.json', 'no JSON')).toBeUndefined();
});

test.each(['metadata.json', 'metadata.yaml', 'config.json'])(
  '%s is refused when it is nested too deeply',
  (name) => {
    const content = `{"a": ${'{"a": '.repeat(50_000)}1${'}'.repeat(50_000)}}`;
    expect(() => hintsBeside(new Map([[name, Buffer.from(content)]]))).toThrow(
      `${name} is nested more than 100 deep, the limit; leave it out`,
    );
  },
);

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

  const preprocessor =
    '{"image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5], "size": {"height": 16, "width": 16}}';

  test('notes name the files whose hints count, and no others', async () => {
    const files = {
      'model.onnx': colourNet({}),
      'labels.txt': Buffer.from('red\nblue'),
      'preprocessor_config.json': Buffer.from(preprocessor),
    };
    const notesFor = async (options: ImportOptions, more: Record<string, Uint8Array> = {}) =>
      (await readHere({ ...files, ...more }, options)).notes.filter((note) => /\.(txt|json|yaml)/.test(note));
    expect(await notesFor({})).toEqual([
      'The labels are those of labels.txt.',
      'The image is prepared as preprocessor_config.json says.',
    ]);
    expect(await notesFor({ labels: ['a', 'b'], input: { mean: [0], std: [255] } })).toEqual([
      'The image is cropped or stretched as preprocessor_config.json says.',
    ]);
    expect(await notesFor({ input: { fit: 'centre' } })).toEqual([
      'The labels are those of labels.txt.',
      'The mean and deviation of the image are those of preprocessor_config.json.',
    ]);
    expect(await notesFor({}, { 'data.yaml': Buffer.from('names: [red, blue]') })).toEqual([
      'The labels are those of data.yaml.',
      'The image is prepared as preprocessor_config.json says.',
    ]);
  });

  test('labels of the graph leave the note about the preprocessing', async () => {
    const { notes } = await readHere({
      'model.onnx': changed(colourNet({}), (model) => ({
        ...model,
        metadataProps: [{ key: 'names', value: "{0: 'red', 1: 'blue'}" }],
      })),
      'labels.txt': Buffer.from('red\nblue'),
      'preprocessor_config.json': Buffer.from(preprocessor),
    });
    expect(notes).toContain('The image is prepared as preprocessor_config.json says.');
    expect(notes.join()).not.toContain('labels.txt');
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

test.each(['labels.csv', 'labels.tsv'])('%s in a zip is unpacked', async (name) => {
  const zip = writeZip([{ name, data: Buffer.from('0,cat') }]);
  const files = await unpack(zip, 1_000_000);
  expect([...files.keys()]).toContain(name);
});
