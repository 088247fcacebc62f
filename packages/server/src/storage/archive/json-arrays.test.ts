import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError, readJsonArrays } from './json-arrays.js';

async function* piecesOf(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function read(text: string, names: readonly string[] = ['images'], pieceLength = 3) {
  const elements: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
  const take = Object.fromEntries(
    names.map((name) => [name, (element: unknown) => void elements[name]?.push(element)]),
  );
  const arrays = await readJsonArrays(piecesOf(text, pieceLength), 'a.json', take);
  return arrays === null ? null : { arrays: [...arrays], elements };
}

test('any JSON is read as JSON.parse reads it, wherever it is cut', async () => {
  const key = fc.oneof(fc.constantFrom('images', 'annotations', 'info'), fc.string());
  const value = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()));
  const space = fc.constantFrom(undefined, 1, '\r\n\t');
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(key, value),
      space,
      fc.integer({ min: 1, max: 40 }),
      async (object, indent, length) => {
        const text = JSON.stringify(object, undefined, indent);
        const parsed: unknown = JSON.parse(text);
        const expected = ['images', 'annotations'].flatMap((name) => {
          const array: unknown = Object.entries(parsed ?? {}).find(([each]) => each === name)?.[1];
          return Array.isArray(array) ? [[name, array]] : [];
        });
        const result = await read(text, ['images', 'annotations'], length);
        const taken = Object.entries(result?.elements ?? {}).filter(([name]) =>
          result?.arrays.includes(name),
        );
        expect(Object.fromEntries(taken)).toEqual(Object.fromEntries(expected));
      },
    ),
    { numRuns: 300 },
  );
});

test.each(['[]', '"images"', '12', 'null', ' [{"images": []}]'])('%s has no such arrays', async (text) => {
  expect(await read(text)).toBeNull();
});

test.each([
  ['', 'it ends too early'],
  ['{"images": [1, 2', 'it ends too early'],
  ['{"images": [1, 2]', 'it ends too early'],
  ['{"images": [1, 2]} {}', 'not JSON'],
  ['{"images": [1, 2}', 'not JSON'],
  ['{"images": [1,, 2]}', 'element 2 of "images"'],
  ['{"images": [1, {]}]}', 'not JSON'],
  ['{"images": [1 2]}', 'element 1 of "images"'],
  ['{"images" [1]}', 'not JSON'],
  ['{images: [1]}', 'not JSON'],
])('%s is refused: %s', async (text, words) => {
  const reading = read(text);
  await expect(reading).rejects.toThrow(JsonError);
  await expect(reading).rejects.toThrow(words);
});

test('NaN and Infinity become null, and stay in strings', async () => {
  const result = await read('{"images": [{"a": NaN, "b": [-Infinity, 1], "c": "NaN \\"Infinity"}]}');
  expect(result?.elements['images']).toEqual([{ a: null, b: [null, 1], c: 'NaN "Infinity' }]);
});

describe('what is not needed', () => {
  test('of an array is passed over after `skip`, and what comes behind it is read', async () => {
    const [first, rest]: [unknown[], unknown[]] = [[], []];
    await readJsonArrays(piecesOf('{"images": [1, 2, {"x" 3}], "annotations": [3]}', 100), 'a.json', {
      images: (element) => {
        first.push(element);
        return 'skip';
      },
      annotations: (element) => void rest.push(element),
    });
    expect([first, rest]).toEqual([[1], [3]]);
  });

  test('is not read after `stop`', async () => {
    let pieces = 0;
    async function* endless() {
      yield '{"images": [';
      for (;;) {
        pieces += 1;
        yield '1, ';
      }
    }
    await readJsonArrays(endless(), 'a.json', { images: () => 'stop' });
    expect(pieces).toBe(1);
  });
});

test.each([
  ['an element without an end', '{"images": [[', '[],'],
  ['a string without an end', '{"images": ["', 'aaa'],
])('%s is refused before it fills the memory', async (_name, head, piece) => {
  async function* endless() {
    yield head;
    for (;;) yield piece.repeat(10_000);
  }
  await expect(readJsonArrays(endless(), 'a.json', { images: () => undefined })).rejects.toThrow(
    'element 1 of "images" is longer than 4194304 characters',
  );
});

test('a key, or a value that is passed over, takes no memory however long it is', async () => {
  async function* long() {
    yield '{"';
    for (let count = 0; count < 1000; count += 1) yield 'key'.repeat(10_000);
    yield '": [';
    for (let count = 0; count < 1000; count += 1) yield '[[[{"a'.repeat(5000);
  }
  const before = process.memoryUsage().rss;
  await expect(readJsonArrays(long(), 'a.json', { images: () => undefined })).rejects.toThrow('too early');
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 2 ** 20);
});
