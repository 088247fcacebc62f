import { describe, expect, test } from 'vitest';
import { colourNet } from './fixtures/colour-net.js';
import { probabilitiesFor, readHere } from './fixtures/read-here.js';
import { changed, tinyNet } from './fixtures/tiny-nets.js';

const pets = { labels: ['cat', 'dog'] };
const red = [250, 10, 10];
const blue = [10, 10, 250];

describe('an input of bytes is fed bytes', () => {
  test.each(['uint8', 'int8'] as const)('%s', async (type) => {
    const read = await readHere(colourNet({ input: type }), { labels: ['red', 'blue'] });
    expect((await probabilitiesFor(read, red))['red']).toBeGreaterThan(0.95);
    expect((await probabilitiesFor(read, blue))['blue']).toBeGreaterThan(0.95);
    expect(read.recognition.plan.input.scale.std).toEqual([1]);
  });

  test('a mean or deviation in the options is refused', async () => {
    await expect(readHere(colourNet({ input: 'uint8' }), { input: { std: [255] } })).rejects.toThrow(
      'takes bytes, which are fed as they are; leave input.std out',
    );
  });
});

describe('a graph that scales its image itself is fed bytes', () => {
  test.each(['Rescaling', 'mean and deviation'] as const)('%s', async (inside) => {
    const read = await readHere(colourNet({ inside }), { labels: ['red', 'blue'] });
    expect(read.recognition.plan.input.scale).toEqual({ channels: 'rgb', mean: [0], std: [1] });
    expect((await probabilitiesFor(read, blue))['blue']).toBeGreaterThan(0.95);
  });
});

test('a net that is blind to fractions is fed bytes, and a note says why', async () => {
  const read = await readHere(colourNet({ inside: 'weights' }), { labels: ['red', 'blue'] });
  expect((await probabilitiesFor(read, blue))['blue']).toBeGreaterThan(0.95);
  expect(read.notes.join()).toContain('so its answers differ from image to image');
});

describe('an output beside the classes is not read', () => {
  const features = { name: 'features', dims: [1, 8], numbers: [9, 8, 7, 6, 5, 4, 3, 2] };
  test.each([
    ['of features', features, pets],
    ['of an unknown name, told by the labels', { ...features, name: 'out2' }, pets],
    ['of features, without labels', features, {}],
    [
      'of the hidden state of a transformer',
      { name: 'last_hidden_state', dims: [1, 50, 768], numbers: new Array<number>(38_400).fill(0.5) },
      pets,
    ],
  ])('%s', async (_name, other, options) => {
    const net = tinyNet({ outputs: [other, { name: 'logits', dims: [1, 2], numbers: [0, Math.log(3)] }] });
    const read = await readHere(net, options);
    expect(Object.values(await probabilitiesFor(read, red))).toEqual([
      expect.closeTo(0.25),
      expect.closeTo(0.75),
    ]);
  });

  test('two outputs of which either may hold the scores are refused by name', async () => {
    const net = tinyNet({
      outputs: [
        { ...features, name: 'a' },
        { name: 'b', dims: [1, 2], numbers: [1, 2] },
      ],
    });
    await expect(readHere(net)).rejects.toThrow(/a \[1,8\], b \[1,2\].*give a label for each class/);
  });
});

describe('a final TopK', () => {
  /** Scores `y` of three classes, then their `k` best; `names` are the outputs of the file. */
  const topK = (k: number, names: readonly string[]) =>
    changed(tinyNet({ outputs: [{ name: 'y', dims: [1, 3], numbers: [0.1, 0.2, 0.7] }] }), (model) => ({
      ...model,
      graph: {
        ...model.graph,
        node: [
          ...(model.graph.node ?? []),
          {
            opType: 'Constant',
            output: ['k'],
            attribute: [{ name: 'value_ints', type: 7, ints: [BigInt(k)] }],
          },
          { opType: 'TopK', input: ['y', 'k'], output: ['v', 'ix'] },
        ],
        output: names.map((name) => ({ name, type: { tensorType: { elemType: name === 'ix' ? 7 : 1 } } })),
      },
    }));
  const labels = ['cat', 'dog', 'bird'];
  /** The sorted scores and their indices, from a graph that shows no TopK. */
  const hidden = tinyNet({
    outputs: [
      { name: 'v', dims: [1, 3], numbers: [0.7, 0.2, 0.1] },
      { name: 'ix', dims: [1, 3], numbers: [2, 1, 0], type: 'int64' },
    ],
  });

  test.each([
    ['with the numbers of the classes', topK(3, ['v', 'ix']), labels],
    ['without them', topK(3, ['v']), labels],
    ['of the best class alone', topK(1, ['v', 'ix']), ['cat', 'dog']],
    ['that the graph does not show', hidden, labels],
    ['without labels', topK(2, ['v', 'ix']), undefined],
  ])('%s is refused by the names of its outputs', async (_name, net, given) => {
    await expect(readHere(net, given ? { labels: given } : {})).rejects.toThrow(
      /gives v \[1,\d\].*export the model without its TopK/,
    );
  });

  test.each([[labels], [undefined]])(
    'beside the scores of all classes is not read (labels %s)',
    async (given) => {
      const read = await readHere(topK(3, ['v', 'ix', 'y']), given ? { labels: given } : {});
      expect(Object.values(await probabilitiesFor(read, red))).toEqual(
        [0.1, 0.2, 0.7].map((n) => expect.closeTo(n)),
      );
    },
  );
});

describe('an output that marks the best class', () => {
  const oneHot = { name: 'best', dims: [1, 2], numbers: [1, 0], type: 'int64' } as const;
  const scores = { name: 'y', dims: [1, 2], numbers: [0.75, 0.25] };

  test('is not read beside the scores, and is no TopK', async () => {
    for (const outputs of [
      [oneHot, scores],
      [scores, oneHot],
    ]) {
      const read = await readHere(tinyNet({ outputs }), pets);
      expect(Object.values(await probabilitiesFor(read, red))).toEqual([
        expect.closeTo(0.75),
        expect.closeTo(0.25),
      ]);
    }
  });

  test('that has the name of an index is that of a TopK', async () => {
    const net = tinyNet({ outputs: [scores, { ...oneHot, name: 'top_indices' }] });
    await expect(readHere(net, pets)).rejects.toThrow('export the model without its TopK');
  });

  test('alone is read, with a note, unless it is in whole numbers', async () => {
    const read = await readHere(tinyNet({ outputs: [{ ...oneHot, type: 'float32' }] }), pets);
    expect(read.notes.join()).toContain('may not say how sure it is');
    await expect(readHere(tinyNet({ outputs: [oneHot] }), pets)).rejects.toThrow('holds whole numbers');
  });
});

describe('a final ArgMax', () => {
  const argMax = (names: readonly string[]) =>
    changed(tinyNet({ outputs: [{ name: 'y', dims: [1, 3], numbers: [0.1, 0.2, 0.7] }] }), (model) => ({
      ...model,
      graph: {
        ...model.graph,
        node: [
          ...(model.graph.node ?? []),
          { opType: 'ArgMax', input: ['y'], output: ['best'], attribute: [{ name: 'axis', type: 2, i: 1n }] },
        ],
        output: names.map((name) => ({ name, type: { tensorType: { elemType: name === 'best' ? 7 : 1 } } })),
      },
    }));

  test('alone is refused with what to do', async () => {
    await expect(readHere(argMax(['best']), { labels: ['a', 'b', 'c'] })).rejects.toThrow(
      /gives best \[1,1\].*export it without its last ArgMax/,
    );
  });

  test('beside the scores is not read', async () => {
    const read = await readHere(argMax(['best', 'y']), { labels: ['a', 'b', 'c'] });
    expect(Object.values(await probabilitiesFor(read, red))).toEqual(
      [0.1, 0.2, 0.7].map((n) => expect.closeTo(n)),
    );
  });
});

describe('one number', () => {
  const single = tinyNet({ outputs: [{ name: 'y', dims: [1, 1], numbers: [0.7] }] });

  test('is the score of the only label, beside one for the rest', async () => {
    const read = await readHere(single, { labels: ['dog'] });
    expect(await probabilitiesFor(read, red)).toEqual({
      'not dog': expect.closeTo(0.3),
      dog: expect.closeTo(0.7),
    });
  });

  test('is the score of the second of two labels, and a note says so', async () => {
    const read = await readHere(single, pets);
    expect(await probabilitiesFor(read, red)).toEqual({ cat: expect.closeTo(0.3), dog: expect.closeTo(0.7) });
    expect(read.notes.join()).toContain('the score of dog');
  });

  test('has no more labels', async () => {
    await expect(readHere(single, { labels: ['a', 'b', 'c'] })).rejects.toThrow(
      'give two labels or one, not 3',
    );
  });

  test('is a logit where a product gives it, though it lies between 0 and 1', async () => {
    const read = await readHere(colourNet({ single: true }), pets);
    expect(read.recognition.plan.head).toMatchObject({ activation: 'sigmoid' });
  });
});

describe('outputs of Custom Vision and scikit-learn', () => {
  const strings = (names: readonly string[]) => names.map((name) => Buffer.from(name));
  /** A map from class to score, and the name of the best class. */
  const zipped = (bytes: Uint8Array) =>
    changed(bytes, (model) => ({
      ...model,
      opsetImport: [...(model.opsetImport ?? []), { domain: 'ai.onnx.ml', version: 1n }],
      metadataProps: [
        { key: 'Image.BitmapPixelFormat', value: 'Bgr8' },
        { key: 'Image.NominalPixelRange', value: 'NominalRange_0_255' },
      ],
      graph: {
        ...model.graph,
        node: [
          ...(model.graph.node ?? []),
          {
            opType: 'ZipMap',
            domain: 'ai.onnx.ml',
            input: ['y'],
            output: ['loss'],
            attribute: [{ name: 'classlabels_strings', type: 8, strings: strings(['blue', 'red']) }],
          },
        ],
        output: [
          { name: 'classLabel', type: { tensorType: { elemType: 8 } } },
          { name: 'loss', type: { sequenceType: { elemType: {} } } },
        ],
      },
    }));

  test('the numbers before a ZipMap are read with its names, and the pixels as the metadata says', async () => {
    const read = await readHere(zipped(colourNet({ input: 'byte-floats' })));
    expect(read.recognition.plan).toMatchObject({
      labels: ['blue', 'red'],
      input: { scale: { channels: 'bgr', mean: [0], std: [1] } },
    });
    expect((await probabilitiesFor(read, red))['red']).toBeGreaterThan(0.95);
  });

  test('a sequence that no ZipMap gives is refused by name', async () => {
    const bytes = changed(colourNet({}), (model) => ({
      ...model,
      graph: { ...model.graph, output: [{ name: 'list', type: { sequenceType: { elemType: {} } } }] },
    }));
    await expect(readHere(bytes)).rejects.toThrow(
      'the output list is a sequence, and no tensor of numbers; export',
    );
  });
});

describe('what is not supported is refused by its name', () => {
  const zeros = (name: string, dims: readonly number[]) => ({
    name,
    dims,
    numbers: new Array<number>(dims.reduce((a, b) => a * b, 1)).fill(0),
  });
  test.each([
    [
      "YOLO's grids",
      [zeros('a', [1, 3, 8, 8, 7]), zeros('b', [1, 3, 4, 4, 7]), zeros('c', [1, 3, 2, 2, 7])],
      /YOLO's grids before they are decoded; export/,
    ],
    [
      'a segmentation of each pixel',
      [zeros('mask', [1, 21, 64, 64])],
      /a map with numbers for each place, as of a segmentation/,
    ],
    ["YOLOv2's grid", [zeros('model_outputs0', [1, 35, 2, 2])], /a grid of YOLOv2 .* General \(compact\)/],
  ])('%s', async (_name, outputs, message) => {
    await expect(readHere(tinyNet({ outputs }))).rejects.toThrow(message);
  });
});
