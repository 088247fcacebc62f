import { setTimeout as sleep } from 'node:timers/promises';
import type { LynceusClient } from '@lynceus/client';
import { startTestCamera, type TestCamera } from '#server/streams/fixtures/test-camera.js';
import type { RequestTimes } from './measure-requests.js';
import type { Tenant } from './tenant.js';

/** Twice the places of the service. */
const streamsOfOther = 4;
const pollMs = 200;

/**
 * Time until a stream of one account runs, alone and where another account has streams in all places and waiting for them.
 * @param isAloneToo 0 for alone unless true
 */
export async function measureStreamSlots(
  own: Tenant,
  other: Tenant,
  isAloneToo: boolean,
): Promise<RequestTimes> {
  const camera = await startTestCamera();
  try {
    const aloneMs = isAloneToo ? await timeTurn(own.client, camera) : 0;
    const others = await Promise.all(
      Array.from({ length: streamsOfOther }, () => addStream(other.client, camera)),
    );
    const states = () => Promise.all(others.map((id) => readState(other.client, id)));
    while ((await states()).filter((state) => state === 'running').length < 2) await sleep(pollMs);
    const besideMs = await timeTurn(own.client, camera);
    for (const id of others) await other.client.streams.remove(id);
    return { aloneMs, besideMs };
  } finally {
    await camera.stop();
  }
}

async function timeTurn(client: LynceusClient, camera: TestCamera): Promise<number> {
  const since = performance.now();
  const id = await addStream(client, camera);
  while ((await readState(client, id)) !== 'running') await sleep(pollMs);
  const ms = performance.now() - since;
  await client.streams.remove(id);
  return ms;
}

async function addStream(client: LynceusClient, { source }: TestCamera): Promise<number> {
  return (await client.streams.create({ name: 'camera', source, settings: { motion_gate: false } })).id;
}

async function readState(client: LynceusClient, id: number): Promise<string> {
  return (await client.streams.read(id)).state.state;
}
