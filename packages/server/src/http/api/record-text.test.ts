import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinObjects, toFieldsText } from './files.js';

test('names of fields are rewritten, and text that looks like one is not', () => {
  const record = {
    timingsMs: { readText: 1 },
    box: { xMin: 1 },
    text: '"xMin":',
    other: 'minScore',
    a: '\\"xMin":',
  };
  expect(JSON.parse(toFieldsText(JSON.stringify(record)))).toEqual({
    timings_ms: { read_text: 1 },
    box: { x_min: 1 },
    text: '"xMin":',
    other: 'minScore',
    a: '\\"xMin":',
  });
});

test('whatever an image says arrives as it was read', () => {
  const part = fc.constantFrom('"', '\\', 'xMin', ':', '{', ',', '\n', 'é');
  fc.assert(
    fc.property(
      fc.array(part).map((parts) => parts.join('')),
      fc.json(),
      (text, json) => {
        const record = { textLines: [text, json] };
        expect(JSON.parse(toFieldsText(JSON.stringify(record)))).toEqual({ text_lines: [text, json] });
      },
    ),
    { numRuns: 1000 },
  );
});

test('two objects become one', () => {
  expect(joinObjects('{"a":1}', '{"b":2}')).toBe('{"a":1,"b":2}');
  expect(joinObjects('{}', '{"b":2}')).toBe('{"b":2}');
  expect(joinObjects('{"a":1}', '{}')).toBe('{"a":1}');
});
