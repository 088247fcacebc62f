import { expect, test } from 'vitest';
import type { RecognitionPart } from '../../recognition/parts.js';
import { createFramePlan, type OpenQuestions } from './frame-plan.js';

const nobody: OpenQuestions = { people: 'none', isBest: false };

/** In how many of the frames of ten seconds, at 10 a second, a part is looked for. */
function count(
  settings: { readonly parts: RecognitionPart[]; readonly namesPeople?: boolean },
  questions: (frame: number) => OpenQuestions,
): Record<RecognitionPart, number> {
  const plan = createFramePlan({ namesPeople: false, ...settings });
  const counts = { objects: 0, faces: 0, texts: 0, classes: 0 };
  for (let frame = 0; frame < 100; frame++) {
    const parts = plan.choose(frame * 100, questions(frame));
    plan.begin(frame * 100, parts);
    for (const part of parts) counts[part] += 1;
  }
  return counts;
}

test('nothing is looked for that was not asked for', () => {
  expect(count({ parts: ['objects'] }, () => ({ people: 'unsettled', isBest: true }))).toEqual({
    objects: 100,
    ...{ faces: 0, texts: 0, classes: 0 },
  });
});

test('faces are looked for while somebody has no name, twice a second, and now and then when all have', () => {
  const names = { parts: ['objects' as const], namesPeople: true };
  expect(count(names, () => nobody).faces).toBe(0);
  expect(count(names, () => ({ people: 'unsettled', isBest: false })).faces).toBe(20);
  expect(count(names, () => ({ people: 'settled', isBest: false })).faces).toBe(4);
});

test('people who are to be named are looked for as objects', () => {
  expect(count({ parts: ['texts'], namesPeople: true }, () => nobody).objects).toBe(100);
});

test('faces alone are looked for whether or not people are followed', () => {
  expect(count({ parts: ['faces'] }, () => nobody)).toMatchObject({ objects: 0, faces: 20 });
});

test('texts are read once a second, and more often while objects are seen better and better', () => {
  const parts: RecognitionPart[] = ['objects', 'texts', 'classes'];
  expect(count({ parts }, () => nobody)).toEqual({ objects: 100, faces: 0, texts: 10, classes: 10 });
  expect(count({ parts }, () => ({ people: 'none', isBest: true })).texts).toBe(34);
});

test('a frame in which nothing is due need not be analysed, and what was not done stays due', () => {
  const plan = createFramePlan({ parts: ['texts'], namesPeople: false });
  const due = new Set(['texts']);
  expect([plan.choose(0, nobody), plan.choose(100, nobody)]).toEqual([due, due]);
  plan.begin(100, plan.choose(100, nobody));
  expect([plan.choose(1000, nobody), plan.choose(1100, nobody)]).toEqual([new Set(), due]);
});
