import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DeliveryError } from '../../delivery/destination.js';
import { put } from '../fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';
import { createCircuitBreakers } from './circuit-breakers.js';

const drop = { accountId: 1, dropId: 2 };
const fail = async () => {
  throw new DeliveryError('unreachable', 'nothing takes connections there');
};

describe('a destination that failed', () => {
  const openBreakers = () => {
    let nowMs = 0;
    const recovered: unknown[] = [];
    const breakers = createCircuitBreakers({ nowMs: () => nowMs, onRecovered: (ref) => recovered.push(ref) });
    return { breakers, recovered, pass: (ms: number) => (nowMs += ms) };
  };

  test('rests, longer each time, and is not asked meanwhile', async () => {
    const { breakers, pass } = openBreakers();
    let asked = 0;
    const deliver = () => {
      asked += 1;
      return fail();
    };
    const ask = () => breakers.attempt(drop, 'one', deliver).catch(() => undefined);
    await ask();
    pass(1999);
    await ask();
    expect(asked).toBe(1);
    pass(1);
    await ask();
    pass(3999);
    await ask();
    expect(asked).toBe(2);
    await expect(breakers.attempt(drop, 'one', async () => 'sent')).rejects.toThrow(
      'nothing takes connections',
    );
  });

  test('is tried again once its settings have changed, or a test of it has succeeded', async () => {
    const { breakers } = openBreakers();
    await breakers.attempt(drop, 'one', fail).catch(() => undefined);
    expect(await breakers.attempt(drop, 'other', async () => 'sent')).toBe('sent');
    await breakers.attempt(drop, 'one', fail).catch(() => undefined);
    breakers.end(drop);
    expect(await breakers.attempt(drop, 'one', async () => 'sent')).toBe('sent');
  });

  test('is reported as recovered once, by the first delivery that succeeds', async () => {
    const { breakers, recovered, pass } = openBreakers();
    await breakers.attempt(drop, 'one', fail).catch(() => undefined);
    pass(2000);
    await breakers.attempt(drop, 'one', async () => 'sent');
    await breakers.attempt(drop, 'one', async () => 'sent');
    expect(recovered).toEqual([drop]);
  });
});

describe('files that wait for a destination', () => {
  let service: WorkingDrop;
  beforeAll(async () => {
    service = await openWorkingDrop();
  });
  afterAll(() => service.close());

  /** A drop that sends to a port where nothing is, with a file that waits for an hour after its first attempt. */
  const makeWaiting = async () => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // The address of a server that listens on a port has this form.
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const settings = { kind: 'http', address: `http://127.0.0.1:${port}/` } as const;
    const made = await service.makeDrop({
      settings: { otherFiles: 'deliver' },
      destination: { settings, secrets: {} },
    });
    await put(made.folders, ['incoming', 'notes.txt'], 'notes');
    const { database } = service;
    const jobOf = () =>
      database.query
        .selectFrom('job')
        .innerJoin('drop_file', 'drop_file.id', 'job.subject')
        .select(['job.id', 'job.state', 'job.error'])
        .where('drop_file.drop_id', '=', made.drop.id)
        .executeTakeFirstOrThrow();
    for (;;) {
      const job = await jobOf();
      if (job.state === 'waiting' && job.error !== null) {
        const later = { due_at: Date.now() + 3_600_000 };
        await database.write([database.query.updateTable('job').set(later).where('id', '=', job.id)]);
        return { ...made, server, port };
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  test('are sent as soon as the drop gets another', { timeout: 120_000 }, async () => {
    const { drop: made } = await makeWaiting();
    const destination = { settings: { kind: 'folder', folder: service.target } as const, secrets: {} };
    await service.store.drops.change(service.accountId, made.id, { destination });
    expect(await service.settled(made.id)).toMatchObject([{ state: 'done' }]);
  });

  test('are sent as soon as a test of it goes well', { timeout: 120_000 }, async () => {
    const { drop: made, server, port } = await makeWaiting();
    const { signal } = new AbortController();
    const test = () => service.store.testDestination(service.accountId, made.id, signal);
    expect(await test()).toMatchObject({ isGood: false, problem: 'unreachable' });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await test()).toMatchObject({ isGood: true });
    expect(await service.settled(made.id)).toMatchObject([{ state: 'done' }]);
    server.closeAllConnections();
    server.close();
  });
});
