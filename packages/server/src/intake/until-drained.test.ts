import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { untilDrained } from './until-drained.js';

test('waits for room or the end of a stream, and leaves no listener at it', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const before = [stream.listenerCount('drain'), stream.listenerCount('close')];
  for (let round = 0; round < 20; round += 1) {
    expect(stream.write('ab')).toBe(false);
    const drained = untilDrained(stream);
    stream.read();
    await drained;
    expect([stream.listenerCount('drain'), stream.listenerCount('close')]).toEqual(before);
  }
  stream.write('ab');
  const closed = untilDrained(stream);
  stream.destroy();
  await closed;
});
