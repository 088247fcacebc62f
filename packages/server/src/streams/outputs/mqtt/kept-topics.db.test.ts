import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DeliveryError } from '../../../delivery/destination.js';
import { openWorkingOutputs, type WorkingOutputs } from '../fixtures/working-outputs.js';
import { createKeptTopics } from './kept-topics.js';

let service: WorkingOutputs;
let id: number;
beforeAll(async () => {
  service = await openWorkingOutputs();
  const settings = { kind: 'mqtt' as const, url: 'mqtt://127.0.0.1:9' };
  const { output } = await service.outputs.create(service.accountId, { name: 'broker', settings });
  id = output.id;
});
afterAll(() => service.close());

const open = (broker: string, warn: (about: unknown) => void = () => undefined) =>
  createKeptTopics(
    { database: service.database, fence: [], logger: { warn } },
    { accountId: service.accountId, id, broker },
  );
/** A broker that cuts the connection where something is published at one topic. */
function openBroker(forbidden: string | RegExp) {
  const cleared: string[] = [];
  return {
    cleared,
    connection: {
      async publish(topic: string) {
        if (topic === forbidden || (forbidden instanceof RegExp && forbidden.test(topic)))
          throw new DeliveryError('unreachable', 'the broker closed the connection');
        cleared.push(topic);
      },
    },
  };
}

test('what one broker keeps is not cleared at another', async () => {
  await open('mqtt://one/').add(['a', 'b']);
  await open('mqtt://two/').add(['b']);
  expect([...(await open('mqtt://two/').all())]).toEqual(['b']);
  await open('mqtt://two/').clear(openBroker('').connection, ['b']);
  expect([...(await open('mqtt://one/').all())].sort()).toEqual(['a', 'b']);
});

test('a topic at which nothing may be cleared is left out in the end, and all others are cleared', async () => {
  const topics = Array.from({ length: 120 }, (_, index) => `t${index}`);
  const warn = vi.fn();
  const kept = open('mqtt://strict/', warn);
  await kept.add(topics);
  const { connection, cleared } = openBroker('t60');
  let cuts = 0;
  // As the sender does on each new connection.
  for (; cuts < 10; cuts += 1) {
    try {
      await kept.clear(connection, [...(await kept.all())]);
      break;
    } catch (error) {
      expect(error).toBeInstanceOf(DeliveryError);
    }
  }
  expect(cuts).toBe(3);
  expect(new Set(cleared)).toEqual(new Set(topics.filter((topic) => topic !== 't60')));
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ topic: 't60' }), expect.any(String));
  // Another process tries it again.
  expect(await open('mqtt://strict/').all()).toEqual(new Set(['t60']));
});

test('where nothing may be cleared, it is not tried for a while', async () => {
  const kept = open('mqtt://closed/');
  await kept.add(['a', 'b', 'c']);
  const publish = vi.fn(async () => {
    throw new DeliveryError('unreachable', 'the broker closed the connection');
  });
  for (let count = 0; count < 20; count += 1)
    await kept.clear({ publish }, ['a', 'b', 'c']).catch((error: unknown) => {
      expect(error).toBeInstanceOf(DeliveryError);
    });
  // Three at once, then one by one.
  expect(publish).toHaveBeenCalledTimes(6);
  expect((await kept.all()).size).toBe(3);
});

test('topics at which nothing may be cleared do not hold up images that were noted after them', async () => {
  const kept = open('mqtt://rights/');
  const forbidden = Array.from({ length: 60 }, (_, index) => `homeassistant/${index}`);
  const states = Array.from({ length: 60 }, (_, index) => `lynceus/${index}/state`);
  await kept.add([...forbidden, ...states, 'lynceus/yard/snapshot']);
  const { connection, cleared } = openBroker(/^homeassistant/);
  for (let cuts = 0; cuts < 3; cuts += 1)
    await expect(kept.clear(connection, [...(await kept.all())])).rejects.toThrow(DeliveryError);
  expect(cleared).toContain('lynceus/yard/snapshot');
  expect(await kept.all()).toEqual(new Set(forbidden));
});
