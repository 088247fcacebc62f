import { describe, expect, test } from 'vitest';
import { advanceEnrolments, countEnrolments, type Enrolment } from './enrolment-list.js';

const url = (name: string) => ({ url: `https://example.com/${name}` });
const give = (...ids: number[]) =>
  ids.reduce<readonly Enrolment[]>(
    (list, id) => advanceEnrolments(list, { kind: 'given', id, source: url(String(id)) }),
    [],
  );
const added = { outcome: 'added', image: null, findings: [] } as const;

describe('images on their way to a person', () => {
  test('stand with the last given first, and wait', () => {
    const list = give(1, 2, 3);
    expect(list.map(({ id, step }) => [id, step.kind])).toEqual([
      [3, 'waiting'],
      [2, 'waiting'],
      [1, 'waiting'],
    ]);
  });

  test('step on one by one, and are counted', () => {
    let list = give(1, 2, 3);
    list = advanceEnrolments(list, { kind: 'stepped', id: 1, step: { kind: 'answered', result: added } });
    list = advanceEnrolments(list, { kind: 'stepped', id: 2, step: { kind: 'failed', error: new Error() } });
    expect(countEnrolments(list)).toEqual({ all: 3, settled: 2, added: 1 });
  });

  test('that are settled can be cleared away; none that is under way is', () => {
    let list = give(1, 2, 3);
    list = advanceEnrolments(list, { kind: 'stepped', id: 1, step: { kind: 'answered', result: added } });
    list = advanceEnrolments(list, { kind: 'stepped', id: 2, step: { kind: 'adding' } });
    expect(advanceEnrolments(list, { kind: 'cleared' }).map(({ id }) => id)).toEqual([3, 2]);
  });

  test('that are gone from the list stay gone when their answer comes', () => {
    const step = { kind: 'answered', result: added } as const;
    expect(advanceEnrolments([], { kind: 'stepped', id: 9, step })).toEqual([]);
  });
});
