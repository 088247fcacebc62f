import fc from 'fast-check';
import { expect, test } from 'vitest';
import { topicsOfConfig } from './home-assistant.js';

test('of a message of discovery the topics below the own prefix are known, and no others', () => {
  const config = (state_topic: string) => topicsOfConfig(JSON.stringify({ state_topic }), 'lynceus');
  expect(config('lynceus/yard/person')).toEqual({
    states: ['lynceus/yard/person', 'lynceus/yard/all'],
    images: [],
  });
  expect(config('zigbee/lamp').states).toEqual([]);
  expect(topicsOfConfig('{"image_topic":"lynceus/yard/snapshot"}', 'lynceus').images).toEqual([
    'lynceus/yard/snapshot',
  ]);
});

test('whatever a broker keeps there is read without failing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { states, images } = topicsOfConfig(text, 'lynceus');
      for (const topic of [...states, ...images]) expect(topic.startsWith('lynceus/')).toBe(true);
    }),
  );
});
