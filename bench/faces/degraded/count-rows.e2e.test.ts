import { expect, test } from 'vitest';
import { countRows, type Observation } from './count-rows.js';
import { exactInterval } from './exact-interval.js';

const people = ['a', 'b', 'c', 'd'];
/** Every masked face; each person's own is like it, and unlike the others' own. */
const masked = Float32Array.of(1, 0, 0, 0, 0);
const ownFace = (person: string) => {
  const embedding = Float32Array.of(0.55, 0, 0, 0, 0);
  embedding[1 + people.indexOf(person)] = Math.sqrt(1 - 0.55 ** 2);
  return { embedding, quality: { problems: [] } };
};

function observation(person: string, title: string, face: Observation['face']): Observation {
  return { portrait: `${person}/${title}`, person, half: 'report', title, variant: 0, face };
}

test('pairs of strangers are those of which both faces have an embedding', () => {
  const seen = { embedding: masked, quality: { problems: [] } };
  const observations = [
    ...people.map((person) => observation(person, 'as they are', ownFace(person))),
    observation('a', 'mask', seen),
    observation('b', 'mask', { ...seen, quality: { problems: ['covered'] } }),
    observation('c', 'mask', undefined),
    observation('d', 'mask', { ...seen, embedding: undefined }),
  ];
  const rows = countRows(observations, { half: 'report', decisionCosine: 0.5, doubtfulCosine: 1.1 });
  expect(rows.find(({ title }) => title === 'mask')).toMatchObject({
    oneSide: { hits: 6, answered: 3, compared: 6, pairs: 12, people: { answered: 3, compared: 5 } },
    bothSides: { hits: 1, answered: 0, compared: 1, pairs: 6, people: { answered: 0, compared: 1 } },
    genuine: { hits: 2, answered: 1, compared: 2, pairs: 4 },
    found: 0.75,
    flagged: 1 / 3,
    doubtful: 1 / 3,
  });
});

test('two doubtful faces do not match, and one of them matches a clear one', () => {
  const doubtful = { embedding: masked, quality: { problems: [], doubt: 1 } };
  const observations = [
    ...people.map((person) => observation(person, 'as they are', ownFace(person))),
    ...people.map((person) => observation(person, 'mask', doubtful)),
  ];
  const rows = countRows(observations, { half: 'report', decisionCosine: 0.5, doubtfulCosine: 1.1 });
  expect(rows.find(({ title }) => title === 'mask')).toMatchObject({
    oneSide: { hits: 12, answered: 12 },
    bothSides: { hits: 6, answered: 0 },
    doubtful: 1,
  });
  const [, alike] = countRows(observations, { half: 'report', decisionCosine: 0.5, doubtfulCosine: 0.9 });
  expect(alike).toMatchObject({ bothSides: { hits: 6, answered: 6 }, doubtful: 1 });
});

test('two people who match as they are count there alone', () => {
  const observations = ['as they are', 'mask'].flatMap((title) =>
    people.map((person) => observation(person, title, ownFace(person === 'b' ? 'a' : person))),
  );
  const rows = countRows(observations, { half: 'report', decisionCosine: 0.5, doubtfulCosine: 1.1 });
  expect(rows).toMatchObject([
    { title: 'as they are', bothSides: { hits: 1, pairs: 6 } },
    { title: 'mask', bothSides: { hits: 0, pairs: 5 } },
  ]);
});

test('a share of no pairs may be anything', () => {
  expect(exactInterval(0, 0)).toEqual({ low: 0, high: 1 });
});
