import { expect, test } from 'vitest';
import { firstValues, isAddress, toVideoSettings } from './video-values.js';

test('people are named only where it is wanted, and faces are looked for then', () => {
  const values = { ...firstValues, perception: '1001' };
  expect(toVideoSettings(values)).toEqual({
    ...{ parts: ['objects'], fps: 2, names_people: false, perception_id: null },
  });
  expect(toVideoSettings({ ...values, namesPeople: true })).toEqual({
    ...{ parts: ['objects', 'faces'], fps: 2, names_people: true, perception_id: 1001 },
  });
});

test('an address is one of http or https', () => {
  expect(['https://films.example/a.mp4', 'http://u:p@h/a'].every(isAddress)).toBe(true);
  expect(['', 'films.example/a.mp4', 'rtsp://h/a', 'file:///a.mp4'].some(isAddress)).toBe(false);
});
