import { expect, test } from 'vitest';
import { treeOfTexts } from '../fixtures/text-tree.js';
import { FormatError, type Tree } from './plan.js';
import { readTree } from './read-tree.js';

const yaml = 'names: [cat]';
const files = {
  'images/a.jpg': '',
  'images/partly-labelled.jpg': '',
  'labels/a.txt': '0 .5 .5 .2 .2',
  'labels/partly-labelled.txt': '0 .5 .5 .2 .2',
  'data.yaml': yaml,
};
const read = async (tree: Tree) => {
  const { images, findings } = await readTree(tree, null);
  const said = images.map(({ labels, isIncomplete }) => [labels?.length, isIncomplete ?? false]);
  return { said, problems: findings.map(({ problem, file }) => [problem, file]) };
};

test('the list of partly labelled images is not the file of labels of an image that is called so', async () => {
  expect((await read(treeOfTexts(files))).said).toEqual([
    [1, false],
    [1, false],
  ]);
});

test('the list of partly labelled images names them from its own folder on', async () => {
  const nested = Object.entries(files).map(([path, text]) => [`set/${path}`, text] as const);
  const list = { 'set/partly-labelled.txt': 'images/a.jpg\nimages/gone.jpg' };
  expect(await read(treeOfTexts({ ...Object.fromEntries(nested), ...list }))).toEqual({
    said: [
      [1, true],
      [1, false],
    ],
    problems: [],
  });
});

test('the list of partly labelled images ends no import when it cannot be read', async () => {
  const tree = treeOfTexts({ ...files, 'partly-labelled.txt': 'images/a.jpg' });
  const readText = async (path: string) => {
    if (path === 'partly-labelled.txt') throw new FormatError('it is damaged');
    return tree.readText(path);
  };
  const { said, problems } = await read({ ...tree, readText });
  expect(said.map(([count]) => count)).toEqual([1, 1]);
  expect(problems).toEqual([['ignored-file', 'partly-labelled.txt']]);
});
