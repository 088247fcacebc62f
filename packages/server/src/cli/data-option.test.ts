import { expect, test } from 'vitest';
import { readDataOption } from './data-option.js';

const write = () => undefined;
const context = { env: { LYNCEUS_DATA_DIR: '/of-the-setting' }, cwd: '/work', print: write, note: write };
const read = (...words: string[]) => {
  const { rest, context: given } = readDataOption(words, context);
  return [rest, given.env['LYNCEUS_DATA_DIR']];
};

test('the option is taken before and after the command, in both of its forms, and a folder is relative to where it is asked', () => {
  expect(read('--data', 'here', 'keys', 'list')).toEqual([['keys', 'list'], '/work/here']);
  expect(read('keys', 'list', '--data=/there')).toEqual([['keys', 'list'], '/there']);
  expect(read('predict', '--annotate', 'out.jpg', '--data', '/there', 'in.jpg')).toEqual([
    ['predict', '--annotate', 'out.jpg', 'in.jpg'],
    '/there',
  ]);
});

test('without it words and settings stay', () => {
  expect(read('custom', 'train', '--dataset', '77')).toEqual([
    ['custom', 'train', '--dataset', '77'],
    '/of-the-setting',
  ]);
  expect(read()).toEqual([[], '/of-the-setting']);
});

test('a name that looks like the option after -- is a name', () => {
  expect(read('predict', '--', '--data').at(-1)).toBe('/of-the-setting');
});

test('without a value it is left to the command, which refuses it', () => {
  expect(read('serve', '--data')).toEqual([['serve', '--data'], '/of-the-setting']);
});
