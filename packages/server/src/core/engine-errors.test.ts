import { EngineError } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { toCommandError, toServiceError } from './engine-errors.js';

const tooLarge = new EngineError(
  'image-too-large',
  'the image has 9000x8000 pixels; at most 50000000 in all are accepted',
);

test('the command line names the size of an image, the limit and its setting; clients see none of them', () => {
  expect(toCommandError(tooLarge)).toMatchObject({
    message: `${tooLarge.message}: make it smaller, or raise LYNCEUS_MAX_PIXELS`,
  });
  expect(toServiceError(tooLarge)).toMatchObject({
    message: 'the image has too many pixels; send a smaller one',
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
