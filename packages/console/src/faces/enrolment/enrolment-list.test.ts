import { describe, expect, test } from 'vitest';
import { advanceEnrolments, countEnrolments, type Enrolment } from './enrolment-list.js';

const url = (name: string) => ({ url: `https://example.com/${name}` });
const give = (...ids: number[]) =>
  ids.reduce<readonly Enrolment[]>(
    (list, id) => advanceEnrolments(list, { kind: 'given', id, source: url(String(id)) }),
    [],
  );
const added = { outcome: 'added', image: null, findings: [] } as const;

describe('images that are added to a person', () => {
  test('are listed with the newest first, and wait', () => {
    const list = give(1, 2, 3);
    expect(list.map(({ id, step }) => [id, step.kind])).toEqual([
      [3, 'waiting'],
      [2, 'waiting'],
      [1, 'waiting'],
    ]);
  });

  test('advance one by one, and are counted', () => {
    let list = give(1, 2, 3);
    list = advanceEnrolments(list, { kind: 'stepped', id: 1, step: { kind: 'answered', result: added } });
    list = advanceEnrolments(list, { kind: 'stepped', id: 2, step: { kind: 'failed', error: new Error() } });
    expect(countEnrolments(list)).toEqual({ all: 3, settled: 2, added: 1 });
  });

  test('can be cleared when they are finished, and not before', () => {
    let list = give(1, 2, 3);
    list = advanceEnrolments(list, { kind: 'stepped', id: 1, step: { kind: 'answered', result: added } });
    list = advanceEnrolments(list, { kind: 'stepped', id: 2, step: { kind: 'adding' } });
    expect(advanceEnrolments(list, { kind: 'cleared' }).map(({ id }) => id)).toEqual([3, 2]);
  });

  test('wait again when a refused one is to be added all the same', () => {
    const refused = { outcome: 'refused', image: null, findings: [] } as const;
    let list = give(1, 2);
    list = advanceEnrolments(list, { kind: 'stepped', id: 1, step: { kind: 'answered', result: refused } });
    list = advanceEnrolments(list, { kind: 'accepted', id: 1 });
    expect(list.map(({ id, step, acceptsProblems }) => [id, step.kind, acceptsProblems])).toEqual([
      [2, 'waiting', undefined],
      [1, 'waiting', true],
    ]);
  });

  test('stay cleared when their answer arrives', () => {
    const step = { kind: 'answered', result: added } as const;
    expect(advanceEnrolments([], { kind: 'stepped', id: 9, step })).toEqual([]);
  });
});
