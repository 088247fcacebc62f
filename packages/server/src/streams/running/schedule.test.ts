import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSchedule } from './schedule.js';

const at = (text: string) => Date.parse(text);
const minuteMs = 60_000;
const weekMinutes = 7 * 24 * 60;

test('a stream without hours runs always', () => {
  expect(createSchedule({ schedule: [], timeZone: 'UTC' })(0)).toBe(true);
});

test('hours that end before they begin end on the next day', () => {
  const isOn = createSchedule({ schedule: [{ days: [5], from: '22:00', to: '06:00' }], timeZone: 'UTC' });
  // 2026-11-27 is a Friday.
  expect(isOn(at('2026-11-27T21:59:59Z'))).toBe(false);
  expect(isOn(at('2026-11-27T22:00:00Z'))).toBe(true);
  expect(isOn(at('2026-11-28T05:59:59Z'))).toBe(true);
  expect(isOn(at('2026-11-28T06:00:00Z'))).toBe(false);
  expect(isOn(at('2026-11-27T05:00:00Z'))).toBe(false);
});

test('hours are those of the time zone, in summer and in winter', () => {
  const isOn = createSchedule({
    schedule: [{ days: [0, 1, 2, 3, 4, 5, 6], from: '08:00', to: '09:00' }],
    timeZone: 'Europe/Berlin',
  });
  expect(isOn(at('2026-01-10T07:30:00Z'))).toBe(true);
  expect(isOn(at('2026-07-10T07:30:00Z'))).toBe(false);
  expect(isOn(at('2026-07-10T06:30:00Z'))).toBe(true);
});

test('an hour that the change of the clock repeats is in the hours twice, one that it leaves out is in none', () => {
  const isOn = createSchedule({
    schedule: [{ days: [0], from: '02:00', to: '03:00' }],
    timeZone: 'Europe/Berlin',
  });
  const minutesOf = (day: string) =>
    Array.from({ length: 24 * 60 }, (_, minute) => at(`${day}T00:00:00Z`) + minute * minuteMs).filter(isOn)
      .length;
  expect(minutesOf('2026-10-25')).toBe(120);
  expect(minutesOf('2026-03-29')).toBe(0);
  expect(minutesOf('2026-11-01')).toBe(60);
});

test('a time zone that there is not is refused', () => {
  const schedule = [{ days: [0], from: '02:00', to: '03:00' }];
  expect(() => createSchedule({ schedule, timeZone: 'Mars/Olympus' })).toThrow(RangeError);
});

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const hours = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
  from: time,
  to: time,
});

test('hours are the minutes of the week from their beginning to their end', () => {
  const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  fc.assert(
    fc.property(
      fc.array(hours, { minLength: 1, maxLength: 5 }),
      fc.nat(weekMinutes - 1),
      (schedule, minute) => {
        const isWithin = schedule.some(({ days, from, to }) =>
          days.some((day) => {
            const begin = day * 24 * 60 + minuteOf(from);
            const length = (minuteOf(to) - minuteOf(from) + 24 * 60) % (24 * 60) || 24 * 60;
            return (minute - begin + weekMinutes) % weekMinutes < length;
          }),
        );
        // 2026-11-22 is a Sunday.
        const atMs = at('2026-11-22T00:00:00Z') + minute * minuteMs;
        expect(createSchedule({ schedule, timeZone: 'UTC' })(atMs)).toBe(isWithin);
      },
    ),
  );
});

test('what is on at a moment depends on the clock on the wall alone', () => {
  const zones = ['Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'];
  fc.assert(
    fc.property(
      fc.array(hours, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...zones),
      fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
      (schedule, timeZone, atMs) => {
        const wall = new Date(atMs).toLocaleString('sv-SE', { timeZone });
        const sameInUtc = at(`${wall.replace(' ', 'T')}Z`);
        const [there, here] = [timeZone, 'UTC'].map((zone) => createSchedule({ schedule, timeZone: zone }));
        expect(there?.(atMs)).toBe(here?.(sameInUtc));
      },
    ),
  );
});
