import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStreamDatabase, type StreamDatabase } from '../../streams/fixtures/stream-database.js';
import { countOpened, readSealedValues, sealContexts } from './sealed-values.js';
import { createSecretBox } from './secret-box.js';

let stored: StreamDatabase;
beforeAll(async () => {
  stored = await openStreamDatabase();
});
afterAll(() => stored.close());

test('secrets of drops, streams, their outputs and videos are found, and sealed again each for what it belongs to', async () => {
  const { database, accountId } = stored;
  const { query, write } = database;
  const [oldBox, newBox] = [createSecretBox([randomBytes(32)]), createSecretBox([randomBytes(32)])];
  const ofAll = {
    account_id: accountId,
    id: 1001,
    name: 'one',
    settings: '{}',
    created_at: 1,
    deleted_at: null,
  };
  const contexts = {
    drop: sealContexts.dropSecrets('drop'),
    stream: sealContexts.streamSecrets('stream'),
    output: sealContexts.streamOutputSecrets('output'),
    video: sealContexts.videoSecrets('video'),
  };
  const sealed = (uid: keyof typeof contexts) => ({
    uid,
    sealed_secrets: oldBox.seal(`the password of ${uid}`, contexts[uid]),
  });
  await write([
    query
      .insertInto('drop_box')
      .values({ ...ofAll, ...sealed('drop'), user_name: 'one', key_id: 1, destination: '{}' }),
    query
      .insertInto('stream')
      .values({ ...ofAll, ...sealed('stream'), source: '{}', is_enabled: 0, revision: 1 }),
    query.insertInto('stream_output').values({
      ...{ ...ofAll, ...sealed('output'), kind: 'mqtt', is_enabled: 0, revision: 1 },
      ...{ delivered_seq: 0, failing_since: null, error: null, given_up: 0 },
    }),
    query
      .insertInto('video')
      .values({ ...ofAll, ...sealed('video'), address: null, info: null, expires_at: null }),
  ]);
  const values = await readSealedValues(database);
  expect(values.map(({ sealed: text, context }) => oldBox.open(text, context)).toSorted()).toEqual([
    'the password of drop',
    'the password of output',
    'the password of stream',
    'the password of video',
  ]);
  await write(
    values.map(({ sealed: text, context, replace }) =>
      replace(newBox.seal(oldBox.open(text, context) ?? '', context)),
    ),
  );
  // What was changed meanwhile is left alone.
  await write(values.map(({ replace }) => replace('nothing')));
  const after = await readSealedValues(database);
  expect([countOpened(after, oldBox), countOpened(after, newBox)]).toEqual([0, 4]);
});
