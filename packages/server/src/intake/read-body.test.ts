import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBlocks, readChunks } from './read-body.js';

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

test('a stream that closes before its end is a body that broke off', async () => {
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

test('chunks of a byte each are joined to blocks, and the rest is taken before the end', async () => {
  const sizes: number[] = [];
  const whole = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 251));
  const stream = Readable.from([...whole].map((byte) => Buffer.of(byte)));
  const taken: Buffer[] = [];
  await readBlocks(
    stream,
    async (block) => {
      sizes.push(block.byteLength);
      taken.push(Buffer.from(block));
    },
    never,
  );
  expect(sizes).toEqual([4096, 4096, 1808]);
  expect(Buffer.concat(taken).equals(whole)).toBe(true);
});

test('a failure to take the rest fails the reading', async () => {
  const failure = new Error('no room');
  const stream = Readable.from([Buffer.from('rest')]);
  await expect(readBlocks(stream, () => Promise.reject(failure), never)).rejects.toBe(failure);
});
