import { expect, test } from 'vitest';
import { countRows, type Observation } from './count-rows.js';
import { exactInterval } from './exact-interval.js';

const alike = Float32Array.of(1, 0);

function observation(person: string, title: string, face: Observation['face']): Observation {
  return { portrait: `${person}/${title}`, person, half: 'report', title, variant: 0, face };
}

test('pairs of strangers are those of which both faces have an embedding', () => {
  const people = ['a', 'b', 'c', 'd'];
  const seen = { embedding: alike, problems: [] };
  const observations = [
    ...people.map((person) => observation(person, 'as they are', seen)),
    observation('a', 'mask', seen),
    observation('b', 'mask', { ...seen, problems: ['covered'] }),
    observation('c', 'mask', undefined),
    observation('d', 'mask', { embedding: undefined, problems: [] }),
  ];
  const rows = countRows(observations, { half: 'report', decisionCosine: 0.5 });
  expect(rows.find(({ title }) => title === 'mask')).toMatchObject({
    oneSide: { hits: 6, answered: 3, compared: 6, pairs: 12 },
    bothSides: { hits: 1, answered: 0, compared: 1, pairs: 6 },
    genuine: { hits: 2, answered: 1, compared: 2, pairs: 4 },
    found: 0.75,
    flagged: 1 / 3,
  });
});

test('a share of no pairs may be anything', () => {
  expect(exactInterval(0, 0)).toEqual({ low: 0, high: 1 });
});
