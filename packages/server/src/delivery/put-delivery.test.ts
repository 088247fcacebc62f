import { expect, test } from 'vitest';
import { putDelivery } from './put-delivery.js';
import type { RemoteFolder } from './remote-folder.js';

test('the search for a free name among thousands does not block the event loop', async () => {
  const names = ['snap.jpg', ...Array.from({ length: 9000 }, (_, index) => `snap (${index + 2}).jpg`)];
  const there = new Set(names);
  const folder: RemoteFolder = {
    findSize: async (name) => (there.has(name) ? 3 : null),
    listNames: async () => names,
    isSame: async () => false,
    put: async () => 'put',
    remove: async () => undefined,
    describeLocation: (name) => name,
  };
  const file = { name: 'snap.jpg', deliveryId: '1a2b3c4d-0000', sizeBytes: 3, sha256: '', mediaType: '' };
  let ticks = 0;
  const count = setInterval(() => {
    ticks += 1;
  }, 0);
  const files = [{ ...file, read: () => (async function* () {})() }];
  const where = await putDelivery(folder, files, { ifExists: 'rename', isRepeated: false });
  clearInterval(count);
  expect(where).toBe('snap (9002).jpg');
  expect(ticks).toBeGreaterThan(5);
});
