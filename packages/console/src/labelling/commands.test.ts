import { describe, expect, test } from 'vitest';
import { classKeys, commandOf } from './commands.js';

const press = (key: string, more: Partial<Parameters<typeof commandOf>[0]> = {}, hasChosenBox = false) =>
  commandOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more }, hasChosenBox);

describe('keys', () => {
  test('each of the first 35 classes has a key', () => {
    const asked = [...classKeys].map((key) => press(key));
    expect(asked).toEqual([...classKeys].map((_, index) => ({ kind: 'class', index })));
    expect(asked).toHaveLength(35);
  });

  test('arrows move the selected box, or change the image if none is selected', () => {
    expect(press('ArrowRight')).toEqual({ kind: 'next' });
    expect(press('ArrowRight', {}, true)).toEqual({ kind: 'nudge', dx: 1, dy: 0 });
    expect(press('ArrowUp', { shiftKey: true }, true)).toEqual({ kind: 'nudge', dx: 0, dy: -10 });
    expect(press('ArrowDown', { altKey: true }, true)).toEqual({ kind: 'resize', dx: 0, dy: 1 });
  });

  test('undo and redo have their usual keys', () => {
    expect(press('z', { ctrlKey: true })).toEqual({ kind: 'undo' });
    expect(press('Z', { metaKey: true, shiftKey: true })).toEqual({ kind: 'redo' });
    expect(press('y', { ctrlKey: true })).toEqual({ kind: 'redo' });
  });

  test('keys of the browser are left to the browser', () => {
    expect(press('r', { ctrlKey: true })).toBeNull();
    expect(press('ArrowLeft', { altKey: true })).toBeNull();
    expect(press('F5')).toBeNull();
    expect(press('Tab')).toBeNull();
  });
});
