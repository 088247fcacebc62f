import { expect, test } from 'vitest';
import { listShipped, readLockedPackages } from '#generate/licences.js';

/** What may ship without a thought: licences that ask for no more than their text to be kept. */
const allowed = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
  'MIT AND ISC AND BSD-3-Clause',
]);

/** What was looked at one by one; docs/licences.md names each. */
const lookedAt: readonly RegExp[] = [
  /^@img\/sharp-/, // libvips, LGPL-3.0-or-later, loaded as a library of its own
  /^libheif-js$/, // LGPL-3.0, a package of its own
  /^dejavu-fonts-ttf$/, // the licence of Bitstream Vera
  /^usearch$/, // "Apache 2.0", spelt its own way
];

test('nothing ships under a licence that nobody has looked at', async () => {
  const shipped = listShipped(await readLockedPackages());
  const others = shipped.filter(
    ({ name, licence }) => !allowed.has(licence) && !lookedAt.some((pattern) => pattern.test(name)),
  );
  expect(others).toEqual([]);
});

test('what ships is found by way of every dependency, and what only builds or tests is not', async () => {
  const shipped = listShipped(await readLockedPackages());
  const has = (name: string, partOf: string) =>
    shipped.some((each) => each.name === name && each.partOf === partOf);
  expect(has('fastify', 'service')).toBe(true);
  expect(has('secure-json-parse', 'service')).toBe(true);
  expect(has('onnxruntime-node', 'service')).toBe(true);
  expect(has('react', 'page')).toBe(true);
  expect(has('d3-scale', 'page')).toBe(true);
  // A peer of recharts.
  expect(has('react-is', 'page')).toBe(true);
  expect(
    shipped.filter(({ name }) => ['vitest', 'vite', 'typescript', 'playwright-core'].includes(name)),
  ).toEqual([]);
});
