import { describe, expect, test } from 'vitest';
import { chooseAll, chooseTo, nothingChosen, toggle } from './selection.js';

const shown = [9, 8, 7, 6, 5];

describe('choosing images', () => {
  test('a second click takes a choice back', () => {
    expect([...toggle(toggle(nothingChosen, 8), 8).ids]).toEqual([]);
  });

  test('with Shift everything between the two is chosen, upwards too', () => {
    expect([...chooseTo(toggle(nothingChosen, 6), 8, shown).ids].sort()).toEqual([6, 7, 8]);
    expect([...chooseTo(toggle(nothingChosen, 9), 7, shown).ids].sort()).toEqual([7, 8, 9]);
  });

  test('without a first one Shift chooses one alone', () => {
    expect([...chooseTo(chooseAll([]), 8, shown).ids]).toEqual([8]);
    expect([...chooseTo({ ids: new Set(), anchor: 1000 }, 8, shown).ids]).toEqual([8]);
  });
});
