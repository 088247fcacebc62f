import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { clientTypesPath, formatClientTypes } from '#bench/docs/client-types.js';

test("the client's types are those of the OpenAPI document; npm run bench -- client-types writes them", async () => {
  expect(await readFile(clientTypesPath, 'utf8')).toBe(await formatClientTypes());
});
