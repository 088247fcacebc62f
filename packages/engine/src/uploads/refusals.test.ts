import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImportError } from '../onnx/import-error.js';
import type { Graph, Model, Node } from '../onnx/proto/model.js';
import { changed, tinyNet, withOpset } from './fixtures/tiny-nets.js';
import { makeUploads, type Uploads } from './fixtures/upload.js';
import { writeZip } from './fixtures/write-zip.js';
import { defaultUploadLimits } from './limits.js';
import { readNet } from './net/read-net.js';
import { UploadRefused } from './upload-refused.js';

let uploads: Uploads;
beforeAll(async () => {
  uploads = await makeUploads();
});
afterAll(() => uploads.close());

const whole = tinyNet({ outputs: [{ name: 'y', dims: [1, 2], numbers: [0.2, 0.8] }] });
const withNodes = (change: (nodes: readonly Node[]) => readonly Node[]) =>
  changed(whole, (model) => ({ ...model, graph: { ...model.graph, node: change(model.graph.node ?? []) } }));
const withGraph = (change: (graph: Graph) => Graph) =>
  changed(whole, (model: Model) => ({ ...model, graph: change(model.graph) }));
const identity = (index: number): Node => ({ opType: 'Identity', input: ['images'], output: [`n${index}`] });
const zeros = (bytes: number) => new Uint8Array(bytes);

function nested(depth: number): Graph {
  const inner = depth === 0 ? [] : [nested(depth - 1)];
  const attribute = inner.map((graph) => ({ name: 'body', type: 5, g: graph }));
  return { name: `g${depth}`, node: [{ opType: 'Loop', input: [], output: ['o'], attribute }] };
}

/** A loop whose condition stays true. */
function endless(): Uint8Array {
  const flag = { name: 'on', dims: [], dataType: 9, rawData: Uint8Array.of(1) };
  const most = { name: 'most', dims: [], dataType: 7, int64Data: [2n ** 62n] };
  const scalar = (name: string, elemType: number) => ({
    name,
    type: { tensorType: { elemType, shape: { dim: [] } } },
  });
  const body: Graph = {
    name: 'body',
    input: [scalar('i', 7), scalar('c', 9), scalar('s', 1)],
    output: [scalar('c2', 9), scalar('s2', 1)],
    node: [
      { opType: 'Identity', input: ['c'], output: ['c2'] },
      { opType: 'Cos', input: ['s'], output: ['s2'] },
    ],
  };
  return withGraph((graph) => ({
    ...graph,
    initializer: [...(graph.initializer ?? []), flag, most],
    node: [
      {
        opType: 'ReduceMean',
        input: ['images'],
        output: ['start'],
        attribute: [{ name: 'keepdims', type: 2, i: 0n }],
      },
      {
        opType: 'Loop',
        input: ['most', 'on', 'start'],
        output: ['end'],
        attribute: [{ name: 'body', type: 5, g: body }],
      },
      ...(graph.node ?? []).map((node) =>
        node.output?.[0] === 'y' ? { opType: 'Add', input: ['end', 'end'], output: ['y'] } : node,
      ),
    ],
  }));
}

/** Asks for `bytes` of memory when it is run. */
function greedy(bytes: number): Uint8Array {
  const side = BigInt(Math.ceil(bytes / 4));
  return withGraph((graph) => ({
    ...graph,
    initializer: [...(graph.initializer ?? []), { name: 'big', dims: [1n], dataType: 7, int64Data: [side] }],
    node: [
      ...(graph.node ?? []).filter((node) => node.output?.[0] !== 'y'),
      {
        opType: 'ReduceMean',
        input: ['images'],
        output: ['m'],
        attribute: [{ name: 'keepdims', type: 2, i: 0n }],
      },
      { opType: 'Expand', input: ['m', 'big'], output: ['wide'] },
      { opType: 'Cos', input: ['wide'], output: ['y'] },
    ],
  }));
}

const hostile: readonly (readonly [string, () => Readonly<Record<string, Uint8Array>>, RegExp])[] = [
  [
    'nothing but noise',
    () => ({ 'm.onnx': Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251) }),
    /not an ONNX, TFLite or TF.js model/,
  ],
  ['an empty file', () => ({ 'm.onnx': zeros(0) }), /m\.onnx is empty/],
  [
    'a file that was cut short',
    () => ({ 'm.onnx': whole.subarray(0, whole.length - 40) }),
    /cut short|damaged/,
  ],
  [
    'weights in another file',
    () => ({
      'm.onnx': withGraph((graph) => ({
        ...graph,
        initializer: [
          {
            name: 'w',
            dims: [1n],
            dataType: 1,
            dataLocation: 1,
            externalData: [{ key: 'location', value: '/etc/passwd' }],
          },
        ],
      })),
    }),
    /lie in another file; save the model as one file/,
  ],
  [
    'weights that are less than they say',
    () => ({
      'm.onnx': withGraph((graph) => ({
        ...graph,
        initializer: [
          ...(graph.initializer ?? []),
          { name: 'w', dims: [2n ** 40n, 2n ** 20n], dataType: 1, rawData: zeros(4) },
        ],
      })),
    }),
    /weights w of shape .* hold 1 numbers/,
  ],
  [
    'a graph of hundreds of thousands of nodes',
    () => ({
      'm.onnx': withNodes((nodes) => [
        ...nodes,
        ...Array.from({ length: 200_000 }, (_, index) => identity(index)),
      ]),
    }),
    /more than 100000 nodes/,
  ],
  [
    'graphs in graphs in graphs',
    () => ({ 'm.onnx': withGraph((graph) => ({ ...graph, node: nested(30).node ?? [] })) }),
    /nested more than 8 deep/,
  ],
  [
    'a graph that bites its tail',
    () => ({
      'm.onnx': withNodes((nodes) =>
        nodes.map((node) =>
          node.opType === 'Mul' ? { ...node, input: [...(node.output ?? []), ...(node.output ?? [])] } : node,
        ),
      ),
    }),
    /runtime cannot load the model/,
  ],
  [
    "somebody's own operators",
    () => ({
      'm.onnx': withNodes((nodes) =>
        nodes.map((node) =>
          node.opType === 'Mul' ? { ...node, opType: 'BatchedNMS', domain: 'TRT' } : node,
        ),
      ),
    }),
    /uses the operator BatchedNMS of TRT/,
  ],
  [
    'an opset of the future',
    () => ({ 'm.onnx': withOpset(whole, 99) }),
    /opset 99; 7 to \d+ are supported: export it with opset 17/,
  ],
  [
    'outputs that fit nothing',
    () => ({
      'm.onnx': tinyNet({
        outputs: [{ name: 'volume', dims: [1, 2, 3, 4, 5], numbers: new Array<number>(120).fill(0) }],
      }),
    }),
    /gives volume \[1,2,3,4,5\], which fits no family; tell family/,
  ],
  [
    'numbers that are not finite',
    () => ({ 'm.onnx': tinyNet({ outputs: [{ name: 'y', dims: [1, 2], numbers: [Number.NaN, 1] }] }) }),
    /not finite/,
  ],
  [
    'two pictures at a time',
    () => ({
      'm.onnx': tinyNet({ input: [2, 3, 64, 64], outputs: [{ name: 'y', dims: [1, 2], numbers: [0, 1] }] }),
    }),
    /takes 2 pictures at a time; export it with a batch of 1/,
  ],
  [
    'no picture at all',
    () => ({
      'm.onnx': tinyNet({ input: [1, 77], outputs: [{ name: 'y', dims: [1, 2], numbers: [0, 1] }] }),
    }),
    /shape \[1,77\]; a picture/,
  ],
  ['a zip of nothing', () => ({ 'm.zip': writeZip([]) }), /no model was found/],
  [
    'a zip that names places outside',
    () => ({ 'm.zip': writeZip([{ name: '../../etc/model.onnx', data: whole }]) }),
    /zip cannot be read: .*relative path/,
  ],
  [
    'a zip that lies about its size',
    () => ({ 'm.zip': writeZip([{ name: 'model.onnx', data: zeros(1_000_000), claimedBytes: 100 }]) }),
    /zip cannot be read/,
  ],
  [
    'a zip of two models',
    () => ({
      'm.zip': writeZip([
        { name: 'a.onnx', data: whole },
        { name: 'b.onnx', data: whole },
      ]),
    }),
    /several models were uploaded \(a\.onnx, b\.onnx\)/,
  ],
  [
    'a Keras file',
    () => ({ 'm.h5': Buffer.from('\x89HDF\r\n\x1a\nand so on', 'latin1') }),
    /Keras model; convert it/,
  ],
  [
    'a PyTorch checkpoint',
    () => ({ 'best.pt': writeZip([{ name: 'best/data.pkl', data: Buffer.from('x') }]) }),
    /PyTorch checkpoint; export it to ONNX/,
  ],
];

describe('a file that is no good costs a refusal that says what to mend, and leaves nothing behind', () => {
  test.each(hostile)('%s', async (_name, files, message) => {
    const attempt = uploads.upload(files());
    await expect(attempt).rejects.toBeInstanceOf(UploadRefused);
    await expect(attempt).rejects.toThrow(message);
    expect((await readdir(uploads.dir)).filter((name) => name.startsWith('out-'))).toEqual([]);
  });

  test('labels that do not fit are told with their number', async () => {
    await expect(uploads.upload({ 'm.onnx': whole }, { labels: ['a', 'b', 'c', 'd'] })).rejects.toThrow(
      /2 classes; tell as many labels, not 4/,
    );
  });

  test('a zip bomb is stopped at what it claims', async () => {
    const bomb = writeZip([{ name: 'model.onnx', data: zeros(30_000_000) }]);
    expect(bomb.length).toBeLessThan(100_000);
    await expect(uploads.upload({ 'm.zip': bomb }, {}, { maxUnpackedBytes: 10_000_000 })).rejects.toThrow(
      /unpacks to more than 10000000 bytes/,
    );
  });

  test('a model without end is ended in time', async () => {
    const start = performance.now();
    await expect(uploads.upload({ 'm.onnx': endless() }, {}, { timeoutMs: 4_000 })).rejects.toThrow(
      /longer than 4 s/,
    );
    expect(performance.now() - start).toBeLessThan(8_000);
  });

  test('a model that takes all memory is ended before it has it', async () => {
    const limits = { maxRssBytes: 600 * 2 ** 20, timeoutMs: 30_000 };
    await expect(uploads.upload({ 'm.onnx': greedy(6 * 2 ** 30) }, {}, limits)).rejects.toThrow(
      /more than 600 MiB/,
    );
  });

  test('whoever gives up is not kept waiting', async () => {
    const gone = new AbortController();
    const attempt = uploads.upload({ 'm.onnx': endless() }, {}, {}, gone.signal);
    setTimeout(() => gone.abort(new Error('gone')), 500);
    await expect(attempt).rejects.toThrow('gone');
  });
});

test('a damaged file is read or refused, never anything else', async () => {
  const places = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(places, async (changes) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, byte] of changes) bytes[at] = byte;
      try {
        await readNet(new Map([['m.onnx', bytes]]), {}, defaultUploadLimits);
      } catch (error) {
        expect(error instanceof UploadRefused || error instanceof ImportError).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('whatever a damaged file does to the process that tries it, the answer is a model or a refusal', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const bytes = Uint8Array.from(whole);
    for (let index = 0; index < 3; index++) {
      const at = (seed * 7919 + index * 104_729) % bytes.length;
      bytes[at] = ((bytes[at] ?? 0) + seed * 37 + 1) % 256;
    }
    const outcome = await uploads
      .upload({ 'm.onnx': bytes }, {}, { timeoutMs: 20_000 })
      .catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UploadRefused);
  }
}, 60_000);

test('the fixture itself is taken', async () => {
  expect((await uploads.upload({ 'm.onnx': whole })).record.family).toBe('classifier');
});
