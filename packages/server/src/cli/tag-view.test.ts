import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { UndoVerdict } from '../tagging/undo-folder.js';
import type { TagVerdict } from '../tagging/verdict.js';
import { createTagView } from './tag-view.js';

function viewOf(root: string) {
  const printed: string[] = [];
  const terminal = Object.assign(new Writable(), { isTTY: false });
  const context = { print: (text: string) => printed.push(text) };
  const view = createTagView({ context, terminal, root, files: null, isJson: false, isTrial: false });
  return { view, printed };
}

const tagged: Omit<TagVerdict, 'outcome'> = { path: '/p/a.jpg', added: [], sidecar: null, reason: null };
const undone: UndoVerdict = { path: '/p/a.cr2', outcome: 'undone', removed: ['otter'], reason: null };

test('an image without findings is another row than one that has all keywords; what is no image has its own', () => {
  const { view, printed } = viewOf('/p');
  for (const outcome of ['nothing-to-add', 'nothing-found', 'passed-over', 'passed-over'] as const) {
    view.showTagged({ ...tagged, outcome });
  }
  view.close();
  expect(printed.join('\n')).toMatch(
    /^a\.jpg: nothing to add\na\.jpg: nothing found\n\nOUTCOME +IMAGES\nnothing to add +1\nnothing found +1\npassed over +2$/,
  );
  expect(view.failed).toBe(0);
});

test('images are counted as undone, not their sidecars', () => {
  const { view, printed } = viewOf('/p');
  for (const path of ['/p/a.cr2', '/p/b.cr2', '/p/a.cr2', '/p/q/a.cr2']) view.showUndone({ ...undone, path });
  view.close();
  expect(printed.at(-1)).toMatch(/\nundone +3$/);
});

test('an image that is gone is named, and is a failure', () => {
  const { view, printed } = viewOf('/p');
  view.showUndone({ ...undone, outcome: 'gone', removed: [], reason: 'it is not in this folder any more' });
  expect(printed).toEqual(['a.cr2: it is not in this folder any more']);
  expect(view.failed).toBe(1);
});

test('without images, it is said where they may be', () => {
  const { view, printed } = viewOf('/p');
  view.close('no images in the folder itself; it has 2 folders: add --recursive');
  expect(printed).toEqual(['no images in the folder itself; it has 2 folders: add --recursive']);
});
