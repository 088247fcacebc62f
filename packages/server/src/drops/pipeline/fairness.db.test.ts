import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { put } from '../fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';

let service: WorkingDrop;
/** Takes whatever is sent and never answers. */
let slow: Server;
let slowAddress: string;
let asked = 0;
beforeAll(async () => {
  service = await openWorkingDrop();
  slow = createServer((request) => {
    asked += 1;
    request.resume();
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  // The address of a server that listens on a port has this form.
  slowAddress = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  slow.closeAllConnections();
  slow.close();
  await service.close();
});

test('a slow destination of one account does not hold up the files of another', {
  timeout: 300_000,
}, async () => {
  const settings = { otherFiles: 'deliver' } as const;
  const hanging = await service.makeDrop({
    settings,
    destination: { settings: { kind: 'http', address: slowAddress }, secrets: {} },
  });
  for (let index = 0; index < 12; index += 1) {
    await put(hanging.folders, ['incoming', `${index}.txt`], 'notes');
  }
  await vi.waitUntil(() => asked > 0, { timeout: 120_000 });
  const two = await service.addAccount('two');
  const other = await service.makeDrop({ settings }, two);
  await put(other.folders, ['incoming', 'other.txt'], 'notes');
  expect(await service.settled(other.drop.id, two)).toMatchObject([{ state: 'done' }]);
  // Half of the four slots; the rest of the account's files wait.
  expect(asked).toBe(2);
});

test('files of drops wait behind people: they are analysed as a batch', async () => {
  const three = await service.addAccount('three');
  const { drop, folders } = await service.makeDrop({}, three);
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const upload = await folders.receive(['incoming', 'IMG_1.jpg'], { at: 'begin' });
  await upload.write(photo);
  await upload.finish();
  expect(await service.settled(drop.id, three)).toMatchObject([{ state: 'done' }]);
  expect(service.runner.seen.map(({ priority }) => priority)).toEqual(['batch']);
});
