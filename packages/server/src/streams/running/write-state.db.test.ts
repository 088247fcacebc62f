import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStreamDatabase, type StreamDatabase } from '../fixtures/stream-database.js';
import { createStateWriter } from './write-state.js';

let streams: StreamDatabase;
beforeAll(async () => {
  streams = await openStreamDatabase();
  await streams.insertStream(1001);
});
afterAll(() => streams.close());

const openWriter = (streamId: number) => {
  const { database, clock, accountId } = streams;
  const failures: unknown[] = [];
  const state = createStateWriter({
    ...{ database, clock, hold: { fence: () => [] }, stream: { accountId, streamId } },
    onFailure: (error) => failures.push(error),
  });
  return { state, failures };
};
const readStates = () =>
  streams.database.query.selectFrom('stream_state').select(['stream_id', 'state']).execute();

test('the last state of a stream is written when it is closed', async () => {
  const { state, failures } = openWriter(1001);
  state.set({ state: 'stopped' });
  await state.close();
  expect([await readStates(), failures]).toEqual([[{ stream_id: 1001, state: 'stopped' }], []]);
});

test('a stream that was deleted has no state, which is no failure', async () => {
  const { state, failures } = openWriter(1002);
  state.set({ state: 'stopped' });
  await state.close();
  expect([await readStates(), failures]).toEqual([[{ stream_id: 1001, state: 'stopped' }], []]);
});
