import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { ServiceError } from '../../core/service-error.js';
import { maxListBytes } from './format.js';
import { parseList } from './parse-list.js';

const Element = Type.Object({ person: Type.Integer(), name: Type.String() });
const parse = (text: string) => parseList(Element, 'people/1.json', Buffer.from(text));
const valid = { person: 1, name: 'Ä'.repeat(300) };

test('a list is read as it was written, without what the schema does not name', async () => {
  const list = Array.from({ length: 500 }, (_, person) => ({ ...valid, person }));
  expect(await parse(JSON.stringify(list.map((each) => ({ ...each, extra: [1] }))))).toEqual(list);
  expect(await parse('[]')).toEqual([]);
});

test.each([
  '',
  '{}',
  '1',
  '[',
  '[{}]',
  '[{"person": 1, "name": "a"}]]',
  `[${`${JSON.stringify(valid)},`.repeat(500)}${JSON.stringify(valid)}]`,
])('%#: what is no such list is refused', async (text) => {
  const error: unknown = await parse(text).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining('people/1.json') });
});

const fill = (head: string, piece: string, tail: string) =>
  head + piece.repeat((maxListBytes - head.length - tail.length) / piece.length) + tail;
const extra = `{"person": 1, "name": "a", "x": [${'[],'.repeat(26_000)}1]},`;

test.each([
  ['lists', fill('[', '[],', '1]')],
  ['spaces', fill('[', ' ', ']')],
  ['brackets', fill('', '[', '')],
  ['elements', fill('[', '{"person": 1, "name": "a"},', '{}]')],
  ['other fields', fill('[', extra, '{}]')],
  ['a string with an escaped line feed', `["\\\n${'\\"'.repeat(39_000)}\\\n"]`],
  ['escaped quotes', `["${'\\"'.repeat(39_000)}" 1]`],
  ['numbers that may be NaN', `["${'\\"'.repeat(20)}", ${'-Infinity,'.repeat(7900)} x]`],
])('%s of the largest size let other work run in between', async (_name, text) => {
  const { most } = await mostCpuBetweenTurns(() => parse(text).catch(() => undefined));
  expect(most).toBeLessThan(60);
});
