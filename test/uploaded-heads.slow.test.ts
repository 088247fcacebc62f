import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { colourNet } from '#engine/uploads/fixtures/colour-net.js';
import { heads, object } from '#engine/uploads/fixtures/heads.js';
import { type SeeingNet, seeingNet } from '#engine/uploads/fixtures/seeing-net.js';
import { writeZip } from '#engine/uploads/fixtures/write-zip.js';
import { type ModelService, startModelService } from '#server/start/fixtures/model-service.js';

let service: ModelService;
beforeAll(async () => {
  service = await startModelService();
}, 300_000);
afterAll(() => service.close());

/** A red object on grey, in an image of twice the input's size with as much again of the ground beside it. */
async function drawImage(): Promise<Buffer> {
  const [left, top, right, bottom] = object.map((side) => 2 * side) as [number, number, number, number];
  const red = {
    create: { width: right - left, height: bottom - top, channels: 3, background: '#fa0a0a' },
  } as const;
  const input = await sharp(red).png().toBuffer();
  return sharp({ create: { width: 128, height: 128, channels: 3, background: '#5a5a5a' } })
    .composite([{ input, left, top }])
    .png()
    .toBuffer();
}

async function predict(id: number): Promise<unknown> {
  const { uid } = (await service.send('GET', `/api/models/${id}`)).json;
  const body = { model_id: uid, base64str: (await drawImage()).toString('base64') };
  return (await service.send('PUT', '/predict', body)).json.predictions;
}

const torchvision: SeeingNet = {
  outputs: [
    { name: 'boxes', row: ['x1', 'y1', 'x2', 'y2'], shape: 'free' },
    { name: 'labels', row: [2], shape: 'free-list', type: 'int64' },
    { name: 'scores', row: ['score'], shape: 'free-list' },
  ],
  dims: [3, 64, 64],
};
const chosen = [
  'segment, one class: a mask coefficient is no score',
  'pose with the suppression inside',
  'obb with the suppression inside',
  'the end-to-end head of YOLO26',
  'half floats',
  'bytes as input',
];

describe('an uploaded detector answers the drawn object, and nothing else:', { timeout: 120_000 }, () => {
  const families = [
    ...heads.filter(([name]) => chosen.includes(name)),
    ['torchvision', torchvision, { labels: ['cat', 'dog'] }] as const,
  ];
  for (const [name, net, options = {}] of families)
    test(name, async () => {
      const id = await service.make('object_detection');
      const made = await service.upload(id, Buffer.from(seeingNet(net)), options);
      expect([made.status, made.json.detail]).toEqual([201, undefined]);
      const [xmin, ymin, xmax, ymax] = object.map((side) => 2 * side);
      expect(await predict(id)).toMatchObject([
        { class_title: 'dog', score: expect.closeTo(0.9, 2), coordinates: { xmin, ymin, xmax, ymax } },
      ]);
    });
});

test('a classifier that takes bytes answers the colour, by the names in the zip', {
  timeout: 120_000,
}, async () => {
  const zip = writeZip([
    { name: 'export/model.onnx', data: colourNet({ input: 'uint8' }) },
    { name: 'export/class_indices.json', data: Buffer.from('{"red": 0, "blue": 1}') },
  ]);
  const id = await service.make('classification');
  const made = await service.upload(id, zip, {});
  expect([made.status, made.json.labels]).toEqual([201, ['red', 'blue']]);
  expect(made.json.import.notes).toContain('The labels are those of export/class_indices.json.');
  expect(await predict(id)).toMatchObject([{ class_title: 'red' }, { class_title: 'blue' }]);
});

test('what cannot be read is refused with its name and what to do', { timeout: 120_000 }, async () => {
  const [, segment] = heads.find(([name]) => name.startsWith('segment, one class')) ?? [];
  const metadata = { ...segment?.metadata, task: 'detect' };
  const id = await service.make('object_detection');
  const made = await service.upload(
    id,
    Buffer.from(seeingNet({ outputs: segment?.outputs ?? [], metadata })),
    {},
  );
  expect([made.status, made.json.code]).toEqual([422, 'model_refused']);
  expect(made.json.detail).toMatch(/33 more, which 1 label and the task detect do not explain; give a label/);
});
