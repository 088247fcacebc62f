import { expect, test } from 'vitest';
import type { ImageVerdict } from '../faces/bulk/verdict.js';
import { createEnrolmentView } from './enrolment-view.js';

const verdict = (path: string, given: Partial<ImageVerdict> = {}): ImageVerdict => ({
  path,
  person: 'Ada',
  verdict: 'added',
  imageId: 1001,
  advice: null,
  ...given,
});

/** What is printed, and what is drawn on the terminal, in the order of both. */
function watch(isTTY: boolean) {
  const printed: string[] = [];
  const drawn: string[] = [];
  let nowMs = 0;
  const view = createEnrolmentView(
    { print: (text) => printed.push(text) },
    { isTTY, columns: 100, write: (text) => drawn.push(text) },
    4,
    () => nowMs,
  );
  return {
    view,
    printed,
    drawn,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('without a terminal there is a line an image, and a table at the end', () => {
  const { view, printed, drawn } = watch(false);
  view.show(verdict('Ada/1.jpg'));
  view.show(verdict('Ada/2.jpg', { verdict: 'no-face' }));
  view.show(verdict('Ada/3.jpg', { verdict: 'added-with-advice', advice: 'the face is too dark' }));
  view.show(verdict('Ada/4.jpg', { verdict: 'there-already' }));
  view.close();
  expect(printed).toEqual([
    'Ada/1.jpg: added',
    'Ada/2.jpg: no face found',
    'Ada/3.jpg: added, but: the face is too dark',
    'Ada/4.jpg: there already',
    '\nVERDICT        IMAGES\nadded          1\nadded, but     1\nthere already  1\nno face found  1',
  ]);
  expect(drawn).toEqual([]);
  expect([view.done, view.missing]).toEqual([4, 1]);
});

test('on a terminal a bar below the lines shows progress, speed and time left', () => {
  const { view, printed, drawn, wait } = watch(true);
  wait(500);
  view.show(verdict('Ada/1.jpg'));
  expect(printed).toEqual(['Ada/1.jpg: added']);
  // Taken away before the line, drawn after it.
  expect(drawn[0]).toBe('\r\x1b[K');
  expect(drawn[1]).toContain('Images ██████░░░░░░░░░░░░░░░░░░ 1 of 4  2.0/s  2 s left');
  view.close();
  expect(drawn.at(-1)).toBe('\r\x1b[K');
});

test('a name in an image’s path cannot command the terminal', () => {
  const { view, printed } = watch(false);
  view.show(verdict('Ada/\x1b[2J\u202egpj.exe\n1.jpg'));
  expect(printed).toEqual(['Ada/\\u001b[2J\\u202egpj.exe\\u000a1.jpg: added']);
});
