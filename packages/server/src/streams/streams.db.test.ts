import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../core/service-error.js';
import { createSecretBox } from '../storage/secrets/secret-box.js';
import { openStreamDatabase, type StreamDatabase } from './fixtures/stream-database.js';
import type { SourceInput } from './stream.js';
import { createStreams, type NewStream } from './streams.js';

let stored: StreamDatabase;
const key = randomBytes(32);
beforeAll(async () => {
  stored = await openStreamDatabase();
});
afterAll(() => stored.close());

function open({ maxPerAccount = 0, keys = [key] as [Buffer, ...Buffer[]] } = {}) {
  const { database, clock } = stored;
  return createStreams({
    ...{ database, clock, maxPerAccount, sealing: database, secretBox: createSecretBox(keys) },
    checkReferences: async () => undefined,
    checkSource: async () => undefined,
  });
}
const rtsp: SourceInput = {
  kind: 'rtsp',
  address: 'rtsp://admin:pa%20ss@10.0.0.1:8554/live?token=hidden',
  substream: { address: 'rtsp://10.0.0.1:8554/small', transport: 'udp' },
};
const newStream = (changes: Partial<NewStream> = {}): NewStream => ({
  name: 'door',
  source: rtsp,
  isEnabled: false,
  ...changes,
});
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : error),
  );

test('a stream is shown without what is secret, and run with it', async () => {
  const { accountId } = stored;
  const made = await open().create(accountId, newStream({ isEnabled: true }));
  expect(made).toMatchObject({
    name: 'door',
    isEnabled: true,
    revision: 1,
    source: {
      kind: 'rtsp',
      address: 'rtsp://10.0.0.1:8554/live?token=***',
      username: 'admin',
      hasPassword: true,
      transport: 'tcp',
      substream: {
        address: 'rtsp://10.0.0.1:8554/small',
        username: null,
        hasPassword: false,
        transport: 'udp',
      },
    },
    settings: { fps: 5, namesPeople: false },
  });
  const row = await stored.database.query
    .selectFrom('stream')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toMatch(/pa ss|pa%20ss|=hidden/);

  const running = await open().readForRunning(accountId, made.id);
  expect(running?.openSource()).toEqual({
    main: {
      kind: 'rtsp',
      url: 'rtsp://10.0.0.1:8554/live?token=hidden',
      username: 'admin',
      password: 'pa ss',
      isCertificateUnchecked: false,
    },
    // The same camera takes the same password.
    substream: {
      kind: 'rtsp',
      url: 'rtsp://10.0.0.1:8554/small',
      username: 'admin',
      password: 'pa ss',
      transport: 'udp',
      isCertificateUnchecked: false,
    },
  });
});

test('a change of what runs counts the revision up, and whoever runs streams sees it', async () => {
  const { accountId } = stored;
  const streams = open();
  const { id } = await streams.create(accountId, newStream({ isEnabled: true }));
  const seen = async () => (await streams.forRunning()).find((each) => each.id === id);
  expect(await seen()).toEqual({ accountId, id, revision: 1 });
  await streams.change(accountId, id, { settings: { fps: 2 } });
  expect(await seen()).toEqual({ accountId, id, revision: 2 });
  const renamed = await streams.change(accountId, id, {
    name: 'gate',
    settings: { fps: 2 },
    isEnabled: true,
  });
  expect(renamed).toMatchObject({ name: 'gate', settings: { fps: 2 } });
  expect(await seen()).toEqual({ accountId, id, revision: 2 });
  await streams.change(accountId, id, { isEnabled: false });
  expect(await seen()).toBeUndefined();
  expect(await streams.readForRunning(accountId, id)).toBeNull();
});

test('changes at the same moment are all kept', async () => {
  const { accountId } = stored;
  const streams = open();
  const { id } = await streams.create(accountId, newStream());
  await Promise.all([
    streams.change(accountId, id, { settings: { fps: 1 } }),
    streams.change(accountId, id, { settings: { maxWidth: 640 } }),
    streams.change(accountId, id, { name: 'gate' }),
    streams.change(accountId, id, { isEnabled: true }),
  ]);
  expect(await streams.read(accountId, id)).toMatchObject({
    name: 'gate',
    isEnabled: true,
    revision: 4,
    settings: { fps: 1, maxWidth: 640 },
  });
  await streams.change(accountId, id, { isEnabled: false });
});

test('another account sees, changes and runs none of it', async () => {
  const streams = open();
  const { id } = await streams.create(stored.accountId, newStream());
  const other = stored.accountId + 1;
  expect(await codeOf(streams.read(other, id))).toBe('not_found');
  expect(await codeOf(streams.change(other, id, { name: 'mine' }))).toBe('not_found');
  expect(await streams.readForRunning(other, id)).toBeNull();
  expect((await streams.list(other, { limit: 10, after: undefined })).items).toEqual([]);
});

test('of more streams than an account may have, none is added', async () => {
  const { accountId } = stored;
  const { items } = await open().list(accountId, { limit: 100, after: undefined });
  const full = open({ maxPerAccount: items.length + 1 });
  await full.create(accountId, newStream());
  expect(await codeOf(full.create(accountId, newStream()))).toBe('account_full');
});

test('a source sealed with another key is reported, and works again when it is sent anew', async () => {
  const { accountId } = stored;
  const { id } = await open().create(accountId, newStream({ isEnabled: true }));
  const late = open({ keys: [randomBytes(32)] });
  const running = await late.readForRunning(accountId, id);
  expect(() => running?.openSource()).toThrow(/sealed with another key/);
  expect((await late.read(accountId, id)).source.address).toMatch(/10\.0\.0\.1/);
  expect(
    await codeOf(
      late.change(accountId, id, { source: { ...rtsp, address: 'rtsp://10.0.0.1:8554/live?token=***' } }),
    ),
  ).toBe('wrong_parameters');
  await late.change(accountId, id, { source: { kind: 'rtsp', address: 'rtsp://b:c@10.0.0.9/' } });
  expect((await late.readForRunning(accountId, id))?.openSource().main).toMatchObject({ password: 'c' });
});

test('a closed account has nothing that is run', async () => {
  const { accountId, database } = stored;
  const streams = open();
  const { id } = await streams.create(accountId, newStream({ isEnabled: true }));
  const close = (at: number | null) =>
    database.write([
      database.query.updateTable('account').set({ closed_at: at }).where('id', '=', accountId),
    ]);
  await close(1);
  expect((await streams.forRunning()).some((each) => each.accountId === accountId)).toBe(false);
  await close(null);
  expect((await streams.forRunning()).some((each) => each.id === id)).toBe(true);
});
