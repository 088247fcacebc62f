import { afterEach, expect, test } from 'vitest';
import { createSweepComponent } from '../../start/sweep-component.js';
import { upload } from '../fixtures/ask.js';
import { imageBytes } from '../fixtures/bodies.js';
import { callV1 } from '../fixtures/call-v1.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

const dayMs = 86_400_000;
let service: TestService;
afterEach(() => service.stop());

async function predict(): Promise<string> {
  const { status, json } = await callV1(service, '/predict/image', { sent: upload });
  expect([status, json.fileid]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  return json.fileid;
}
const statusOf = async (fileid: string) => (await callApi(service, `/api/files/${fileid}`)).status;
const rows = async () =>
  (await service.database.query.selectFrom('analysis').select('record').execute()).map(
    ({ record }) => record,
  );

test('a result is kept for the days of its account, and its image not at all', async () => {
  service = await startTestService({ resultDays: 7 });
  const { json } = await callApi(service, `/api/files/${await predict()}`);
  expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(7 * dayMs);
  expect(await service.filesInSpool()).toEqual([]);
  const [record = ''] = await rows();
  const bytes = imageBytes(2000).toString('base64');
  expect(record).not.toContain(bytes.slice(0, 40));
});

test('of an account that keeps results for 0 days there is nothing to read and nothing stored', async () => {
  service = await startTestService({ resultDays: 0 });
  const fileid = await predict();
  expect(await statusOf(fileid)).toBe(404);
  expect((await callApi(service, '/api/files')).json.data).toEqual([]);
  expect(await rows()).toEqual([]);
  // It was a call all the same.
  expect(await service.callsUsed()).toBe(1);
});

test('an expired result is 404 at once, and deleted from the disk by the next sweep', async () => {
  service = await startTestService();
  const [fileid, other] = [await predict(), await predict()];
  const { database } = service;
  await database.write([
    database.query.updateTable('analysis').set({ expires_at: Date.now() }).where('fileid', '=', fileid),
  ]);
  expect(await statusOf(fileid)).toBe(404);
  expect(await rows()).toHaveLength(2);
  const component = createSweepComponent(service.sweeps, {
    leadership: { onLead: () => undefined },
    pair: { check: async () => undefined },
    logger: { error: () => undefined },
    intervalMs: 20,
  });
  await component.start();
  await expect.poll(async () => (await rows()).length).toBe(1);
  // It repeats by itself, not at the start alone.
  await database.write([
    database.query.updateTable('analysis').set({ expires_at: Date.now() }).where('fileid', '=', other),
  ]);
  await expect.poll(async () => (await rows()).length).toBe(0);
  await component.stop();
});
