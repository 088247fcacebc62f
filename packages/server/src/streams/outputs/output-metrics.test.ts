import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { insertEvent, insertStream, newTrack } from '../fixtures/insert-event.js';
import { openWorkingOutputs, type WorkingOutputs } from './fixtures/working-outputs.js';

let service: WorkingOutputs;
beforeAll(async () => {
  service = await openWorkingOutputs();
});
afterAll(() => service.close());

const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 60_000, interval: 50 });
const read = async (series: string): Promise<number> => {
  const line = (await service.readMetrics()).split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.split(' ')[1] ?? 0);
};
const events = (outcome: string) =>
  read(`lynceus_stream_output_events_total{receiver="webhook",outcome="${outcome}"}`);
const outputs = (state: string) => read(`lynceus_stream_outputs{receiver="webhook",state="${state}"}`);

test('metrics say what is delivered, what fails, what is given up and what waits', async () => {
  let status = 200;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const { port } = receiver.address() as AddressInfo;
  await service.outputs.create(service.accountId, {
    name: 'hook',
    settings: { kind: 'webhook', url: `http://127.0.0.1:${port}` },
    secrets: {},
  });
  const stream = await insertStream(service.database, service.accountId, 'Front door');
  const send = () => insertEvent(service.database, newTrack(service.accountId, stream.id), 'start');

  await send();
  await until(async () => expect(await events('delivered')).toBe(1));
  expect([await outputs('well'), await outputs('failing'), await events('failed')]).toEqual([1, 0, 0]);

  status = 503;
  for (let event = 0; event < 3; event += 1) await send();
  await until(async () => {
    expect(await outputs('failing')).toBe(1);
    expect(await events('failed')).toBeGreaterThan(1);
    expect(await read('lynceus_stream_output_waiting_events{receiver="webhook"}')).toBe(3);
  });

  // Refused as such three times each.
  status = 422;
  await until(async () => {
    expect(await events('given_up')).toBe(3);
    expect(await read('lynceus_stream_output_waiting_events{receiver="webhook"}')).toBe(0);
  });
  status = 200;
  await send();
  await until(async () => {
    expect(await events('delivered')).toBe(2);
    expect([await outputs('well'), await outputs('failing')]).toEqual([1, 0]);
  });
  expect(await read('lynceus_stream_outputs{receiver="mqtt",state="well"}')).toBe(0);
  receiver.close();
});
