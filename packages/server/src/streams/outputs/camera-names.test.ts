import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameCameras, topicLevel } from './camera-names.js';

const named = (...names: string[]) => [
  ...nameCameras(names.map((name, index) => ({ id: 1001 + index, name }))).values(),
];

test('a stream is named by its name in small letters, digits, _ and -', () => {
  expect(named('Front door', 'Café 2', 'a/b+c#d', '入口', 'Events')).toEqual([
    ...['front_door', 'cafe_2', 'a_b_c_d', 'camera_1004', 'events_1005'],
  ]);
});

test('of two streams with one name the oldest has it, whatever the order in which they are listed', () => {
  const streams = [
    { id: 1002, name: 'Yard' },
    { id: 1001, name: 'yard' },
  ];
  expect([...nameCameras(streams)]).toEqual([
    [1001, 'yard'],
    [1002, 'yard_1002'],
  ]);
});

test('no two streams have one name, and each name is a level of a topic and of a path', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('yard', 'Yard', 'yard_1002', 'yard 1003', 'events'));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), (names) => {
      const given = named(...names);
      expect(new Set(given).size).toBe(names.length);
      for (const each of given) expect(each).toMatch(/^[a-z0-9_-]{1,80}$/);
    }),
  );
});

test('a class is a level of a topic without wildcards', () => {
  expect(['traffic light', 'a/b', '+', '#', ''].map(topicLevel)).toEqual([
    'traffic light',
    'a_b',
    '_',
    '_',
    '_',
  ]);
});
