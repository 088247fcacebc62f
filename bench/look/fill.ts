import { Readable } from 'node:stream';
import { Client as FtpClient } from 'basic-ftp';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openSweepGuard } from '#server/storage/quarantine/open-quarantine.js';
import { type Ask, createAsk, formOf, until } from '../ask.js';
import type { Service } from '../service.js';

const longName = 'Everybody who was ever seen at the side entrance of the old observatory, winter term';

/** Records in addition to the sample account: empty ones, failed ones, and long names. */
export async function fillCorners(service: Service, ftpPort: number): Promise<void> {
  const ask = createAsk(service);
  await fillKeys(ask);
  await fillFaces(ask);
  await fillDatasets(ask);
  const description = `${longName}, with all that came after it.`;
  await ask('POST', '/api/models', { name: longName, task: 'object_detection', description });
  await ask('POST', '/api/drops', { name: longName });
  await failFile(ask, ftpPort);
  // As a sweep leaves it that found too much.
  const guard = openSweepGuard(dataFolder(service.dataDir), null);
  await guard.block('faces', { orphans: 24, items: 31 }, Date.now());
}

async function fillKeys(ask: Ask): Promise<void> {
  const ends = { call_limit: 250_000, expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() };
  await ask('POST', '/api/keys', { name: longName, ...ends });
  const { id } = await ask('POST', '/api/keys', { name: 'Old till' });
  await ask('DELETE', `/api/keys/${id}`);
}

async function fillFaces(ask: Ask): Promise<void> {
  await ask('POST', '/api/perceptions', { name: longName });
  await ask('POST', '/api/perceptions/1001/people', { name: longName, key_id: longName });
  const other = await drawFaces(240, 240, [{ x: 120, y: 120, unit: 5, tiltDeg: 20 }]);
  await ask('POST', '/api/people/1001/corrections', formOf('image', [other]));
}

/** A long name among the classes, one for images that are added, and an empty one. */
async function fillDatasets(ask: Ask): Promise<void> {
  const task = 'object_detection';
  await ask('POST', '/api/datasets/1002/classes', { name: longName });
  await ask('POST', '/api/datasets', { name: longName, task: 'classification', multi_label: true });
  await ask('POST', '/api/datasets', { name: 'Nothing yet', task });
}

/** What is no image fails, and says why. */
async function failFile(ask: Ask, port: number): Promise<void> {
  const { key } = await ask('POST', '/api/drops/1001/key');
  const client = new FtpClient();
  try {
    await client.access({ host: '127.0.0.1', port, user: 'sports-desk', password: String(key) });
    await client.uploadFrom(Readable.from('no image'), '/incoming/notes.txt');
  } finally {
    client.close();
  }
  await until(async () => {
    const { data } = await ask('GET', '/api/drops/1001/files?state=failed');
    return Array.isArray(data) && data.length === 1;
  });
}
