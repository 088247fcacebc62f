import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillPathTemplate, findTemplateFault, type PathValues } from './path-template.js';
import { makeSafePart } from './remote-names.js';

const values: PathValues = {
  date: new Date('2026-03-09T23:05:07Z'),
  label: 'black dog',
  drop: 'desk',
  folders: ['match', 'first half'],
  fileName: 'IMG_1.CR2',
};
const fill = (template: string, changes: Partial<PathValues> = {}) => {
  const { folders, name } = fillPathTemplate(template, { ...values, ...changes });
  return [...folders, name].join('/');
};

test.each([
  ['{year}/{month}/{day}/{label}/{name}', '2026/03/09/black dog/IMG_1.CR2'],
  ['{drop}/{folder}/{name}{ext}', 'desk/match/first half/IMG_1.CR2'],
  ['{year}-{month}-{day} {hour}{minute}{second} {name}', '2026-03-09 230507 IMG_1.CR2'],
  ['all/{label}', 'all/black dog.CR2'],
])('%s is filled', (template, path) => {
  expect(findTemplateFault(template)).toBeNull();
  expect(fill(template)).toBe(path);
});

test('a missing label becomes a word, and a missing extension is omitted', () => {
  expect(fill('{label}/{folder}/{name}', { label: null, folders: [] })).toBe('unlabelled/IMG_1.CR2');
  expect(fill('{name}', { fileName: 'without ending' })).toBe('without ending');
});

test('a value neither adds a folder nor leads out of one', () => {
  expect(fill('{label}/{name}', { label: '../../etc', fileName: '..\\x/y.jpg' })).toBe('_.._etc/_x_y.jpg');
  expect(fill('{folder}/{name}', { folders: ['..', '.', '', 'CON', 'a\u0000b'] })).toBe(
    '_/_/_/_CON/a_b/IMG_1.CR2',
  );
});

test('the extension of a long name is kept', () => {
  const path = fill('{name}', { fileName: `${'長'.repeat(100)}.jpeg` });
  expect(path).toBe(`${'長'.repeat(40)}.jpeg`);
});

describe('a fault of a template is reported with the valid variables', () => {
  test.each([
    ['{jear}/{name}', '{jear}, which is none of {year} {month}'],
    ['/{name}', 'empty part'],
    ['{year}//{name}', 'empty part'],
    ['{year}/', 'ends with a slash'],
    ['', 'ends with a slash'],
    ['../{name}', 'leads elsewhere'],
    ['{year', 'a brace without its other one'],
    ['{folder}x/{name}', 'must be a part by itself'],
    ['{year}/{folder}', 'must be a part by itself'],
    ['a:b/{name}', 'not every file system takes'],
    ['{constructor}', 'which is none of'],
    [`${'a/'.repeat(21)}{name}`, 'more than 20 parts'],
  ])('%j', (template, fault) => {
    expect(findTemplateFault(template)).toContain(fault);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('.', ' ', '/', '\\', 'C', 'O', 'N', '\u0000', '\u202e', '\ud800', 'é', '長'),
    maxLength: 20,
  }),
  fc.constantFrom('con', 'LPT1.txt', 'nul.', '..', '. .', '\u2028', 'COM¹'),
);

/** The rules that every file system and object store accepts. */
function expectSafe(part: string, maxBytes: number): void {
  expect(part).not.toBe('');
  expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes);
  expect(part).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  expect(part).not.toMatch(/^[. ]|[. ]$/);
  expect(part).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/iu);
  expect(part.normalize('NFC')).toBe(part);
}

test('any text becomes a segment that every file system accepts, and a safe one is unchanged', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const part = makeSafePart(text);
      expectSafe(part, 120);
      expect(makeSafePart(part)).toBe(part);
    }),
    { numRuns: 2000 },
  );
});

test('any template is rejected or gives a path of safe segments, for all values', () => {
  const piece = fc.oneof(
    fc.constantFrom('{year}', '{label}', '{drop}', '{folder}', '{name}', '{ext}', '/', '.', '..', '{', '}'),
    fc.string({ maxLength: 3 }),
  );
  const template = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const anyValues = fc.record({
    date: fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }),
    label: fc.option(anyText),
    drop: anyText,
    folders: fc.array(anyText, { maxLength: 30 }),
    fileName: anyText,
  });
  fc.assert(
    fc.property(template, anyValues, (text, some) => {
      if (findTemplateFault(text) !== null) return;
      const { folders, name } = fillPathTemplate(text, some);
      for (const part of folders) expectSafe(part, 120);
      expectSafe(name, 131);
      expect(Buffer.byteLength([...folders, name].join('/'))).toBeLessThanOrEqual(850);
    }),
    { numRuns: 3000 },
  );
});
