import { EngineError } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { toCommandError, toServiceError } from './engine-errors.js';

const tooLarge = new EngineError(
  'image-too-large',
  'the image has too many pixels: 9000x8000 are 72000000, and at most 64000000 are accepted',
);

test('the size of an image and the limit are named to everybody, the setting on the command line', () => {
  expect(toCommandError(tooLarge)).toMatchObject({
    message: `${tooLarge.message}: make it smaller, or raise LYNCEUS_MAX_PIXELS`,
  });
  expect(toServiceError(tooLarge)).toMatchObject({
    message: tooLarge.message,
  });
});

test('the command line says what to do about an image that takes too long', () => {
  const slow = new EngineError('timeout', 'the image took longer than 600000 ms');
  expect(toCommandError(slow)).toMatchObject({
    message: expect.stringMatching(/longer than 600000 ms: .*LYNCEUS_INFERENCE_PROCESSES=1/),
  });
});

test('other errors are the same for both', () => {
  const damaged = new EngineError('image-corrupt', 'row 7');
  expect(toCommandError(damaged)).toEqual(toServiceError(damaged));
  const other = new Error('other');
  expect(toCommandError(other)).toBe(other);
});
