import { describe, expect, test } from 'vitest';
import { beginHistory, record, redo, undo } from './history.js';

describe('the history', () => {
  test('undoes and redoes three hundred steps', () => {
    let history = beginHistory({ step: 0 });
    for (let step = 1; step <= 300; step += 1) history = record(history, { step });
    for (let step = 300; step > 0; step -= 1) history = undo(history);
    expect(history.present).toEqual({ step: 0 });
    expect(undo(history)).toBe(history);
    for (let step = 1; step <= 300; step += 1) history = redo(history);
    expect(history.present).toEqual({ step: 300 });
    expect(redo(history)).toBe(history);
  });

  test('forgets undone steps after another step', () => {
    const history = record(undo(record(beginHistory('a'), 'b')), 'c');
    expect(redo(history)).toBe(history);
    expect(undo(history).present).toBe('a');
  });

  test('undoes consecutive steps of one name together', () => {
    let history = record(beginHistory(0), 1, 'nudge');
    history = record(history, 2, 'nudge');
    expect(undo(history).present).toBe(0);
    history = record(history, 3);
    history = record(history, 4, 'nudge');
    expect(undo(history).present).toBe(3);
  });
});
