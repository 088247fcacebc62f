import { expect, test } from 'vitest';
import { countFilters, readFilter, toSeenFilter } from './track-filter.js';

const read = (text: string) => readFilter(new URLSearchParams(text));

test('filters are read from the address, and what cannot be one is left out', () => {
  const filter = read('stream=1001&label=person&person=x&zone=&from=2026-07-30&to=tomorrow&page=2');
  expect(filter).toEqual({
    ...{ stream: '1001', label: 'person', person: null, zone: null },
    ...{ from: '2026-07-30', to: null },
  });
  expect(countFilters(filter)).toBe(3);
});

test('days are those of the reader, and the last one is included', () => {
  const { from, to } = toSeenFilter(read('from=2026-03-28&to=2026-03-29'));
  expect([from, to]).toEqual([new Date(2026, 2, 28), new Date(2026, 2, 30)]);
});

test('ids are numbers for the service, and no filter asks for everything', () => {
  expect(toSeenFilter(read('stream=7&person=9'))).toEqual({ streamId: 7, personId: 9 });
  expect(toSeenFilter(read(''))).toEqual({});
});
