import { expect, test } from 'vitest';
import { boxAt } from './fixtures/boxes.js';
import { isWholeText, joinFaces, joinTexts } from './join.js';

const person = (id: number, x: number) => ({ id, box: boxAt(x, 300, 80, 200) });
const face = (x: number, y: number, side = 24) => ({ box: boxAt(x, y, side, side) });

test('a face is that of the person whose head it is', () => {
  const faces = [face(140, 226), face(100, 224)];
  const joined = joinFaces([person(1, 100), person(2, 140)], faces);
  expect(joined.get(1)).toBe(faces[1]);
  expect(joined.get(2)).toBe(faces[0]);
});

test('one face is nobody else’s: of two people in line, the likelier has it', () => {
  const joined = joinFaces([person(1, 100), person(2, 125)], [face(101, 225)]);
  expect([...joined.keys()]).toEqual([1]);
});

test('a face at the knees, beside the body or on nobody is left out', () => {
  expect(joinFaces([person(1, 100)], [face(100, 370), face(170, 225), face(600, 225)]).size).toBe(0);
});

test('a text is on the smallest track that contains it, or on none', () => {
  const truck = { id: 1, box: boxAt(300, 300, 400, 200) };
  const car = { id: 2, box: boxAt(250, 320, 120, 80) };
  const texts = [
    { box: boxAt(250, 340, 40, 10), text: 'plate' },
    { box: boxAt(420, 250, 40, 10), text: 'company' },
    { box: boxAt(900, 250, 40, 10), text: 'sign' },
  ];
  expect(joinTexts([truck, car], texts).map(({ text, trackId }) => [text.text, trackId])).toEqual([
    ['plate', 2],
    ['company', 1],
    ['sign', null],
  ]);
});

test('boxes without a size join nothing', () => {
  expect(joinFaces([{ id: 1, box: boxAt(0, 0, 0, 0) }], [face(0, 0, 0)]).size).toBe(0);
  expect(joinTexts([{ id: 1, box: boxAt(0, 0, 0, 0) }], [face(0, 0, 0)])).toMatchObject([{ trackId: null }]);
});

test('a text that touches the edge of the image is not whole', () => {
  const image = { width: 1000, height: 500 };
  const text = (xMin: number, yMin: number, xMax: number, yMax: number) => ({
    box: { xMin, yMin, xMax, yMax },
  });
  expect(isWholeText(text(100, 100, 300, 150), image)).toBe(true);
  const cut = [
    text(2, 100, 300, 150),
    text(800, 100, 998, 150),
    text(100, 0, 300, 50),
    text(100, 450, 300, 499),
  ];
  expect(cut.map((each) => isWholeText(each, image))).toEqual([false, false, false, false]);
});
