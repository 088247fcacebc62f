import { describe, expect, test } from 'vitest';
import {
  accept,
  addLabel,
  beginDraft,
  changeLabel,
  openSuggestions,
  refuse,
  removeLabel,
  setClass,
  toggleClass,
  toggleNone,
} from './draft.js';

const box = { x_min: 10, y_min: 10, x_max: 50, y_max: 50 };
const fresh = beginDraft(null);

describe('a draft', () => {
  test('an image without its last box is unlabelled, unless "none of the classes" is set', () => {
    const drawn = addLabel(fresh, 7, box);
    expect(drawn.labels).toEqual([{ key: 1, classId: 7, box }]);
    expect(removeLabel(drawn, 1).labels).toBeNull();
    expect(toggleNone(drawn).labels).toEqual([]);
    expect(toggleNone(toggleNone(drawn)).labels).toBeNull();
  });

  test('a box keeps its number when another is deleted', () => {
    const two = addLabel(addLabel(fresh, 7, box), 8, box);
    const changed = changeLabel(removeLabel(two, 1), 2, { classId: 9 });
    expect(changed.labels).toEqual([{ key: 2, classId: 9, box }]);
    expect(addLabel(changed, 7, box).labels?.map(({ key }) => key)).toEqual([2, 3]);
  });

  test('one class replaces another, and setting it again changes nothing', () => {
    const said = setClass(fresh, 7);
    expect(setClass(said, 8).labels).toEqual([{ key: 1, classId: 8, box: null }]);
    expect(setClass(said, 7)).toBe(said);
  });

  test('with several classes an image, each is set and cleared', () => {
    const both = toggleClass(toggleClass(fresh, 7), 8);
    expect(both.labels?.map(({ classId }) => classId)).toEqual([7, 8]);
    expect(toggleClass(toggleClass(both, 7), 8).labels).toBeNull();
  });
});

describe('suggestions', () => {
  const suggestions = [
    { key: 0, classId: 7, box, score: 0.9 },
    { key: 1, classId: 8, box: { x_min: 100, y_min: 100, x_max: 150, y_max: 150 }, score: 0.6 },
  ];

  test('accepted suggestions become labels, and are not suggested again', () => {
    const taken = accept(fresh, suggestions, false);
    expect(taken.labels).toHaveLength(2);
    expect(openSuggestions(taken, suggestions)).toEqual([]);
    expect(openSuggestions(removeLabel(taken, 1), suggestions)).toEqual([]);
  });

  test('rejected suggestions are not suggested again', () => {
    expect(openSuggestions(refuse(fresh, 0), suggestions)).toEqual([suggestions[1]]);
  });

  test('a suggestion that repeats a drawn box is not shown', () => {
    const drawn = addLabel(fresh, 7, { ...box, x_max: 52 });
    expect(openSuggestions(drawn, suggestions)).toEqual([suggestions[1]]);
    expect(openSuggestions(addLabel(fresh, 8, box), suggestions)).toEqual(suggestions);
  });

  test('an accepted suggestion sets the class of an image', () => {
    const [first] = suggestions.map((suggestion) => ({ ...suggestion, box: null }));
    expect(accept(setClass(fresh, 8), first ? [first] : [], true).labels).toEqual([
      { key: 1, classId: 7, box: null },
    ]);
  });
});
