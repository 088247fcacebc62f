import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { treeOfTexts } from '../fixtures/text-tree.js';
import { planCoco } from './coco.js';
import { parseCsv } from './csv-rows.js';
import { indexFiles } from './find-file.js';
import { FormatError, splitOfFolders } from './plan.js';
import { readTree } from './read-tree.js';
import { parseAnnotation } from './voc.js';
import { parseLines } from './yolo-lines.js';
import { parseNames } from './yolo-names.js';

const valid = {
  coco: '{"images":[{"id":1,"file_name":"a.jpg"}],"categories":[{"id":1,"name":"x"}],"annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]}',
  voc: '<annotation><filename>a.jpg</filename><object><name>x</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>',
  yolo: '0 0.5 0.5 0.1 0.1\n',
  names: 'names:\n  0: x\n  1: y\n',
  csv: 'file,split,class,x_min,y_min,x_max,y_max\na.jpg,train,x,1,2,3,4\n',
};
const parsers = {
  coco: (text: string) => planCoco(treeOfTexts({ 'f.json': text, 'a.jpg': '' })),
  voc: (text: string) => parseAnnotation(text, 'f'),
  yolo: (text: string) => parseLines(text),
  names: (text: string) => parseNames(text, 'f'),
  csv: (text: string) => parseCsv(text, 'f'),
};

/** A valid file with a piece of it cut out, doubled or replaced. */
function mutated(text: string) {
  return fc
    .tuple(
      fc.nat(text.length),
      fc.nat(20),
      fc.oneof(fc.string(), fc.constantFrom('&lol;', '\u0000', '1e999', '{', '<a>', '"', '*a')),
    )
    .map(([at, length, put]) => text.slice(0, at) + put + text.slice(at + length));
}

describe('whatever a file of annotations holds', () => {
  test.each(Object.keys(parsers) as (keyof typeof parsers)[])(
    'it is read or refused, and nothing else: %s',
    async (format) => {
      const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), mutated(valid[format]));
      await fc.assert(
        fc.asyncProperty(text, async (given) => {
          try {
            await parsers[format](given);
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError);
          }
        }),
        { numRuns: 500 },
      );
    },
  );

  test('a document type with entities is not unfolded', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(100)}">]><annotation><filename>&b;&b;</filename></annotation>`;
    const read = () => parseAnnotation(bomb, 'f')?.fileName ?? '';
    expect(
      (() => {
        try {
          return read();
        } catch {
          return '';
        }
      })().length,
    ).toBeLessThan(20);
  });
});

test('a tree of any names is planned or refused', async () => {
  const part = fc.constantFrom(
    'train',
    'val',
    'cat',
    'images',
    'labels',
    'a.jpg',
    'a.txt',
    'data.yaml',
    'x.csv',
    'x.json',
    'x.xml',
    '..',
  );
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const files = fc.dictionary(path, fc.constantFrom(...Object.values(valid), ''), { maxKeys: 8 });
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      const plan = await readTree(treeOfTexts(given), null).catch((error: unknown) => error);
      if (plan instanceof Error) expect(plan).toBeInstanceOf(FormatError);
    }),
    { numRuns: 500 },
  );
});

test('an image is found by its name with other folders, the most alike first', () => {
  const find = indexFiles(['x/train/a.jpg', 'x/val/a.jpg', 'b.jpg']);
  expect(find('/home/me/val/a.jpg').path).toBe('x/val/a.jpg');
  expect(find('C:\\images\\b.jpg').path).toBe('b.jpg');
  expect(find('c.jpg').path).toBeNull();
});

test.each([
  ['train/a.jpg', 'train'],
  ['val2017/a.jpg', 'held-out'],
  ['images/test/x/a.jpg', 'held-out'],
  ['trains/a.jpg', null],
  ['contest/a.jpg', null],
])('the folders of %s say %s', (path, split) => {
  expect(splitOfFolders(path)).toBe(split);
});
