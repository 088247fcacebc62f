import { expect, test } from 'vitest';
import { passesFilters } from './filter.js';
import { boxAt } from './fixtures/boxes.js';

const frame = { width: 1000, height: 1000 };
const track = (title: string, score: number, side: number) => ({
  label: { title },
  score,
  box: boxAt(500, 500, side, side),
});

test('without filters everything passes', () => {
  expect(passesFilters(track('person', 0.1, 1), frame, {})).toBe(true);
});

test('only the classes that are named pass', () => {
  expect(passesFilters(track('car', 0.9, 100), frame, { classes: ['person'] })).toBe(false);
  expect(passesFilters(track('person', 0.9, 100), frame, { classes: ['person'] })).toBe(true);
});

test('scores and areas are limited by class, and otherwise for all', () => {
  const filters = {
    all: { minScore: 0.5, minArea: 0.01 },
    byClass: { car: { minScore: 0.7, maxArea: 0.25 } },
  };
  expect(passesFilters(track('person', 0.6, 100), frame, filters)).toBe(true);
  expect(passesFilters(track('person', 0.4, 100), frame, filters)).toBe(false);
  expect(passesFilters(track('person', 0.6, 99), frame, filters)).toBe(false);
  expect(passesFilters(track('car', 0.6, 100), frame, filters)).toBe(false);
  expect(passesFilters(track('car', 0.8, 99), frame, filters)).toBe(false);
  expect(passesFilters(track('car', 0.8, 501), frame, filters)).toBe(false);
  expect(passesFilters(track('car', 0.8, 500), frame, filters)).toBe(true);
});

test('a class with the name of a property of every object has no filter of its own', () => {
  expect(passesFilters(track('constructor', 0.1, 1), frame, { byClass: {} })).toBe(true);
});
