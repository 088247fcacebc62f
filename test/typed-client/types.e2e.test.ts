import { readFile } from 'node:fs/promises';
import { startTestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
import { expect, test } from 'vitest';
import { clientTypesPath, formatClientTypes } from '#bench/docs/client-types.js';

test("the client's types are those of the OpenAPI document; npm run bench -- client-types writes them", async () => {
  const service = await startTestService();
  const types = await formatClientTypes(service.base);
  await service.stop();
  expect(await readFile(clientTypesPath, 'utf8')).toBe(types);
});
