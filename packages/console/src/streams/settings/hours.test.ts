import { expect, test } from 'vitest';
import { daysFromMonday, endsNextDay, faultOfHours, nameOfDay, timeZones, usualHours } from './hours.js';

test('days have their names, Monday first', () => {
  expect(daysFromMonday.map((day) => nameOfDay(day, 'en', 'short'))).toEqual([
    ...['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  ]);
});

test('times that end before they begin, or then, end on the next day', () => {
  expect(endsNextDay({ from: '08:00', to: '18:00' })).toBe(false);
  expect(endsNextDay({ from: '22:00', to: '06:00' })).toBe(true);
  expect(endsNextDay({ from: '00:00', to: '00:00' })).toBe(true);
  expect(endsNextDay({ from: '', to: '06:00' })).toBe(false);
});

test('times without a day or a time are faulty', () => {
  expect(faultOfHours(usualHours)).toBeNull();
  expect(faultOfHours({ ...usualHours, days: [] })).toBe('noDays');
  expect(faultOfHours({ ...usualHours, to: '' })).toBe('noTime');
});

test('the chosen time zone is among those to choose from', () => {
  expect(timeZones('Mars/Olympus').slice(0, 2)).toEqual(['UTC', 'Mars/Olympus']);
});
