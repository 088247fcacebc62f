import { describe, expect, test } from 'vitest';
import {
  addCornerAfter,
  addShape,
  beginDrawing,
  beginEditing,
  canFinish,
  changeShape,
  chosenShape,
  finishDrawing,
  moveCursor,
  redoStep,
  removeCornerAt,
  removeShape,
  setCorner,
  shapesIn,
  undoStep,
} from './editor.js';
import { type Corner, startPolygon } from './polygon.js';
import { faultsOf, freeName, settingsOf, shapesOf } from './shapes.js';

const corners: readonly Corner[] = [
  [0.1, 0.1],
  [0.5, 0.1],
  [0.5, 0.5],
];
const drawn = () => {
  let editor = beginDrawing(beginEditing([]), 'zone');
  for (const corner of corners) editor = setCorner(moveCursor(editor, corner));
  return editor;
};
const zone = (name: string) => ({ name, polygon: startPolygon(0), classes: [] });

describe('the editor of zones', () => {
  test('a shape is drawn corner by corner, and is selected when it is finished', () => {
    const editor = finishDrawing(drawn(), 'Door');
    expect(chosenShape(editor)).toMatchObject({ kind: 'zone', name: 'Door', polygon: corners });
    expect(editor.drawing).toBeNull();
  });

  test('two corners are no shape, and a corner at the place of the last one is not set', () => {
    const two = undoStep(drawn());
    expect(canFinish(two)).toBe(false);
    expect(finishDrawing(two, 'Door')).toBe(two);
    const same = drawn();
    expect(setCorner(same)).toBe(same);
  });

  test('each step is undone and redone, and steps of one name together', () => {
    const first = addShape(beginEditing([]), { kind: 'zone', name: 'Door' }, startPolygon(0));
    const key = first.chosen ?? -1;
    const moved = ['a', 'b', 'c'].reduce(
      (editor, name) => changeShape(editor, key, { name }, 'typing'),
      first,
    );
    const more = addCornerAfter(moved, 0);
    expect(chosenShape(more)?.polygon).toHaveLength(5);
    expect(more.corner).toBe(1);
    const back = undoStep(undoStep(more));
    expect(chosenShape(back)).toMatchObject({ name: 'Door', polygon: startPolygon(0) });
    expect(shapesIn(redoStep(redoStep(back)))).toEqual(shapesIn(more));
    expect(shapesIn(undoStep(back))).toEqual([]);
    expect(undoStep(back).chosen).toBeNull();
  });

  test('the corner before a removed one is selected, and the last three stay', () => {
    const editor = finishDrawing(drawn(), 'Door');
    expect(removeCornerAt(editor, 0)).toBe(editor);
    const more = addCornerAfter(editor, 2);
    expect(removeCornerAt(more, 3).corner).toBe(2);
    expect(removeCornerAt(more, 0).corner).toBe(2);
  });

  test('keys are not given again while a shape has them', () => {
    let editor = beginEditing(shapesOf({ zones: [zone('a'), zone('b')], masks: [startPolygon(1)] }));
    editor = removeShape(editor, 0);
    editor = addShape(editor, { kind: 'mask', name: 'unused' }, startPolygon(2));
    expect(shapesIn(editor).map(({ key }) => key)).toEqual([1, 2, 3]);
    expect(chosenShape(editor)?.name).toBe('');
  });
});

describe('zones and masks', () => {
  test('come back from the editor as they were', () => {
    const settings = {
      zones: [zone('Door'), { ...zone('Garden'), classes: ['person', 'dog'] }],
      masks: [startPolygon(1)],
    };
    expect(settingsOf(shapesOf(settings))).toEqual(settings);
  });

  test('those that the service refuses are named with the reason', () => {
    const [a, b, c, d] = startPolygon(0);
    const crossed = [a, c, b, d].filter((corner) => corner !== undefined);
    const shapes = shapesOf({
      zones: [zone('Door'), zone(' door '), zone(' '), { ...zone('Yard'), polygon: crossed }],
      masks: [crossed],
    });
    expect([...faultsOf(shapes)]).toEqual([
      [1, 'sameName'],
      [2, 'noName'],
      [3, 'crossing'],
      [4, 'crossing'],
    ]);
  });

  test('a new zone has a name that no other has', () => {
    const shapes = shapesOf({ zones: [zone('Zone 1'), zone('zone 2')], masks: [] });
    expect(freeName(shapes, (number) => `Zone ${number}`)).toBe('Zone 3');
  });
});
