import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask } from './fixtures/ask.js';
import { upload, withImage } from './fixtures/images.js';
import { useImageHost } from './fixtures/use-image-host.js';
import { useService } from './fixtures/use-service.js';

const service = useService();
const address = useImageHost();
const page = readFileSync(new URL('../../../../../docs/wire.md', import.meta.url), 'utf8');

/** The answers that the page shows, in its order. They are broken into lines there, each going on with a space. */
const examples: readonly unknown[] = [...page.matchAll(/^\{".*(?:\n .*)*$/gm)].map(([text]) =>
  JSON.parse(text.replaceAll('\n', '')),
);

/** The keys of a value in their order, and of the first item of each list, with the kinds of what they hold. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [outline(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([key, item]) => [key, outline(item)]);
}

test.each([
  [0, 'PUT /predict?api_key=KEY', withImage()],
  [1, 'GET /predict/image?apikey=KEY&url=URL', {}],
  [2, 'GET /predict/image?model_id=201&apikey=KEY&url=URL', {}],
  [3, 'POST /predict/object_detection/?apikey=KEY', upload],
])('docs/wire.md, answer %i: the keys of %s in their order', async (index, line, sent) => {
  const { json } = await ask(service(), line.replace('URL', encodeURIComponent(address())), sent);
  expect(outline(examples[index])).toEqual(outline(json));
});
