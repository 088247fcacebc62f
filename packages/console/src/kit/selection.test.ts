import { describe, expect, test } from 'vitest';
import { nothingSelected, selectTo, toggle } from './selection.js';

const shown = [9, 8, 7, 6, 5];

describe('a selection', () => {
  test('loses an item by a second click', () => {
    expect([...toggle(toggle(nothingSelected, 8), 8).ids]).toEqual([]);
  });

  test('gets a range by Shift, upwards too', () => {
    expect([...selectTo(toggle(nothingSelected, 6), 8, shown).ids].sort()).toEqual([6, 7, 8]);
    expect([...selectTo(toggle(nothingSelected, 9), 7, shown).ids].sort()).toEqual([7, 8, 9]);
  });

  test('gets one item by Shift when no other was touched before', () => {
    expect([...selectTo(nothingSelected, 8, shown).ids]).toEqual([8]);
    expect([...selectTo({ ids: new Set(), anchor: 1000 }, 8, shown).ids]).toEqual([8]);
  });
});
