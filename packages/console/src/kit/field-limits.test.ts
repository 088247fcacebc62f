import listener from 'api-limits:POST /api/compat-listeners';
import model from 'api-limits:POST /api/models';
import run from 'api-limits:POST /api/models/{id}/runs';
import curve from 'api-limits:PUT /api/perceptions/{id}/calibration';
import stream from 'api-limits:StreamSettingsInput';
import { expect, test } from 'vitest';
import { findLimits, isInLimits, listLimits, numberLimits, textLimits } from './field-limits.js';

test('a text has the length that the API allows, and must be there where the API needs it', () => {
  expect(textLimits(model, 'name')).toEqual({ required: true, maxLength: 200 });
  expect(textLimits(model, 'description')).toEqual({ maxLength: 2000 });
});

test('a number has the range of the API; the largest whole number of JavaScript is no limit', () => {
  expect(numberLimits(listener, 'port')).toEqual({
    required: true,
    min: 1,
    max: 65_535,
    allowDecimal: false,
  });
  expect(numberLimits(listener, 'keyId')).toEqual({ required: true, min: 1, allowDecimal: false });
  expect(numberLimits(run, 'options.seed')).toMatchObject({ min: 0, allowDecimal: false });
});

test('a list has as many entries as the API allows', () => {
  expect(listLimits(listener, 'allowedNetworks')).toEqual({ required: true, maxTags: 50 });
});

test('a field that may be null has the limits of its number', () => {
  expect(findLimits(stream, 'keep_days')).toEqual({ min: 1, max: 3650, isWhole: true });
});

test.each([
  [0.1, true],
  [15, true],
  [15.5, false],
  ['', false],
])('%j frames a second are in the limits: %j', (fps, isGood) => {
  expect(isInLimits(stream, 'fps', fps)).toBe(isGood);
});

test('a limit that is itself too small is the least that an input offers, and refused', () => {
  expect(numberLimits(curve, 'slope')).toEqual({ min: 0, max: 10_000 });
  expect([0, 0.1].map((slope) => isInLimits(curve, 'slope', slope))).toEqual([false, true]);
});

test('a part of a whole number is out of its limits', () => {
  expect(isInLimits(stream, 'max_width', 640.5)).toBe(false);
});

test('a field that the API does not have is a mistake of the page', () => {
  expect(() => findLimits(model, 'title')).toThrow('title');
});

test('a request that the API does not have stops the build', async () => {
  await expect(import('api-limits:POST /api/nothing')).rejects.toThrow('POST /api/nothing');
});
