import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSceneReader } from './scene-texts.js';
import { agreeOnTexts, createTextVotes } from './text-votes.js';

const reading = (atMs: number, text: string, score = 0.8) => ({ atMs, text, score });

test('a plate that is misread in single frames is one text, spelled as most readings do', () => {
  const texts = ['AB 123 CD', 'A8 123 CD', 'AB 123 CD', 'AB 128 CD', 'AB  123 CD '].map((text, index) =>
    reading(200 * index, text.trim()),
  );
  expect(agreeOnTexts(texts)).toEqual([{ text: 'AB 123 CD', score: 0.8 }]);
});

test('characters are voted one by one: no reading needs to be right', () => {
  const [agreed] = agreeOnTexts(
    ['XB1234', 'AX1234', 'ABX234', 'AB1X34'].map((text, index) => reading(index, text)),
  );
  expect(agreed?.text).toBe('AB1234');
});

test('one reading, and several of one frame, are no agreement', () => {
  expect(agreeOnTexts([reading(0, 'AB1234', 1)])).toEqual([]);
  expect(agreeOnTexts([reading(0, 'AB1234', 1), reading(0, 'AB1234', 1)])).toEqual([]);
});

test('two readings that differ in a character wait for a third', () => {
  const votes = [reading(0, 'A8 123'), reading(1, 'AB 123')];
  expect(agreeOnTexts(votes)).toEqual([]);
  expect(agreeOnTexts([...votes, reading(2, 'AB 123')])).toMatchObject([{ text: 'AB 123' }]);
});

test('different texts on one object are different texts', () => {
  const votes = [0, 1, 2].flatMap((frame) => [reading(frame, 'TAXI'), reading(frame, '030 1234567')]);
  expect(
    agreeOnTexts(votes)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(['030 1234567', 'TAXI']);
});

test('a text is returned once, and its spelling follows later readings', () => {
  const votes = createTextVotes();
  expect(votes.add([reading(0, 'A8 123 CD', 0.5)])).toEqual([]);
  expect(votes.add([reading(200, 'A8 123 CD', 0.5)])).toMatchObject([{ text: 'A8 123 CD' }]);
  for (let frame = 2; frame < 10; frame++) {
    expect(votes.add([reading(200 * frame, 'AB 123 CD', 0.9)])).toEqual([]);
  }
  expect(votes.texts.map(({ text }) => text)).toEqual(['AB 123 CD']);
});

test('what is agreed on does not depend on the order of the readings', () => {
  const text = fc.constantFrom('AB1234', 'A81234', 'AB123', 'ZZ9999', 'Z29999', 'TAXI', 'x', '', ' ');
  const vote = fc.record({
    atMs: fc.integer({ min: 0, max: 20 }),
    text,
    score: fc.double({ min: 0.05, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(vote, { maxLength: 20 }), (votes) => {
      const texts = (all: typeof votes) => agreeOnTexts(all).map((each) => each.text);
      expect(texts([...votes].reverse())).toEqual(texts(votes));
    }),
  );
});

test('a sign of the scene is read once while it is there, and again when it comes back after long', () => {
  const scene = createSceneReader();
  const box = { xMin: 0, yMin: 0, xMax: 100, yMax: 20 };
  const sign = [{ box, text: 'OPEN', score: 0.9 }];
  const read = Array.from({ length: 100 }, (_, index) => scene.read(index * 10_000, sign)).flat();
  expect(read).toEqual([{ box, text: 'OPEN', score: 0.9 }]);
  expect(scene.read(3_000_000, sign)).toEqual([]);
  expect(scene.read(3_001_000, sign)).toMatchObject([{ text: 'OPEN' }]);
});

test('two signs that differ in one character are two where they are at two places', () => {
  const scene = createSceneReader();
  const sign = (x: number, text: string) => ({
    box: { xMin: x, yMin: 0, xMax: x + 100, yMax: 20 },
    text,
    score: 0.9,
  });
  const read = [0, 1, 2].flatMap((frame) => scene.read(frame, [sign(0, 'ROOM 101'), sign(300, 'ROOM 102')]));
  expect(read.map(({ text }) => text)).toEqual(['ROOM 101', 'ROOM 102']);
});

test('long and endless texts take little time', () => {
  const votes = createTextVotes();
  const startMs = performance.now();
  for (let frame = 0; frame < 50; frame++) {
    votes.add(
      Array.from({ length: 20 }, (_, line) =>
        reading(frame, String.fromCharCode(65 + line).repeat(line * 40), 0.9),
      ),
    );
  }
  expect(performance.now() - startMs).toBeLessThan(3000);
});
