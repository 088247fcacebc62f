import { describe, expect, test } from 'vitest';
import { checkNesting, readYaml } from './read-yaml.js';

test('reads what datasets and exporters write', () => {
  const names = Array.from({ length: 20_000 }, (_, nth) => `  ${nth}: "a [name]! & more"`).join('\n');
  expect(readYaml(`# comment\n\n\nnames:\n${names}\nkpt_shape: [17, 3]`)).toMatchObject({
    kpt_shape: [17, 3],
  });
  expect(readYaml("{0: 'person', 1: 'a - b'}")).toEqual({ 0: 'person', 1: 'a - b' });
  const ruler = `# ${'-'.repeat(300)}\ntext: |\n  ${'-'.repeat(200)}\n${' '.repeat(300)}\n  a\n${' '.repeat(250)}b\n`;
  expect(readYaml(`${ruler}names: [a]`)).toMatchObject({ names: ['a'] });
  expect(() => readYaml('names: [')).toThrow(/^is not YAML$/);
});

describe('refuses before it is parsed', () => {
  test.each([
    ['braces', '{a: '.repeat(50_000)],
    ['brackets', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['lists in a line', `a:\n${'- '.repeat(50_000)}b`],
    ['keys in a line', '? '.repeat(50_000)],
    ['lists behind a key', `a: ${'- '.repeat(50_000)}b`],
    ['indentation', Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('%s', (_what, text) => {
    expect(() => readYaml(text)).toThrow('is nested more than 100 deep, the limit');
  });

  test.each([
    ['anchors and tags', '&a '.repeat(50_000), 'more than 1000 anchors and tags'],
    ['length', 'a: 1\n'.repeat(500_000), 'more than 1000000 characters'],
  ])('%s', (_what, text, message) => {
    expect(() => readYaml(text)).toThrow(message);
  });

  test('JSON in brackets', () => {
    expect(() => checkNesting('['.repeat(50_000))).toThrow('nested');
    checkNesting(`[${'[1],'.repeat(50_000)}[2]]`);
  });
});
