import { expect, test } from 'vitest';
import { orderedSources, raiseSource, switchSource } from './sources-field.js';

test('sources in use come first, in their order', () => {
  expect(orderedSources(['texts', 'names'])).toEqual(['texts', 'names', 'objects', 'classes', 'faces']);
});

test('an added source is the last one', () => {
  expect(switchSource(['names'], 'faces', true)).toEqual(['names', 'faces']);
  expect(switchSource(['names', 'faces'], 'names', false)).toEqual(['faces']);
});

test('a source moves up by one, and the first stays first', () => {
  expect(raiseSource(['names', 'objects', 'texts'], 'texts')).toEqual(['names', 'texts', 'objects']);
  expect(raiseSource(['names', 'objects'], 'names')).toEqual(['names', 'objects']);
});
