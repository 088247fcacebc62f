import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readChunks } from './read-chunks.js';

const never = new AbortController().signal;

test('a body whose last chunk is still being taken when the stream closes is whole', async () => {
  const taken: string[] = [];
  const stream = Readable.from([Buffer.from('one'), Buffer.from('two')]);
  await readChunks(
    stream,
    async (chunk) => {
      await sleep(20);
      taken.push(chunk.toString());
    },
    never,
  );
  expect(stream.destroyed).toBe(true);
  expect(taken).toEqual(['one', 'two']);
});

test('a stream that closes before its end is told as broken off', async () => {
  const stream = new Readable({ read() {} });
  stream.push('half');
  setTimeout(() => stream.destroy(), 10);
  await expect(readChunks(stream, () => undefined, never)).rejects.toMatchObject({ code: 'bad_request' });
});

test('what fails while a chunk is taken fails the reading and leaves the stream open', async () => {
  const stream = new Readable({ read() {} });
  stream.push('chunk');
  const failure = new Error('no room');
  await expect(readChunks(stream, () => Promise.reject(failure), never)).rejects.toBe(failure);
  expect(stream.destroyed).toBe(false);
});
