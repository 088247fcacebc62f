import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ids } from './fixtures/account-facts.js';
import { askedOfOthers } from './fixtures/asked-of-others.js';
import { openBrowser } from './fixtures/browser.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
}

/** Names that customers choose for what is theirs, names of others' services, and what administrators alone may ask. */
const noIds = [
  ...['createPerson', 'changePerson', 'addImageByKeyId', 'predictFace', 'predictFaceByAddress'].map(
    (operation) => `key_id of ${operation}`,
  ),
  ...['access_key_id of createDrop', 'access_key_id of changeDrop'],
  ...['key_id of createCompatListener', '{id} of deleteCompatListener'],
  ...['{id} of changeAccount', '{id} of inviteToAccount', '{id} of deleteAccount', '{id} of undeleteAccount'],
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Each other than every other, so that it is known again wherever it stands. */
const everything = (prefix: string) =>
  new Proxy({}, { get: (_, name) => `${prefix}-${String(name)}` }) as unknown as Ids;

/** The fields of a schema that name something by an id, however deep. */
function idFields(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(isIdField(name) ? [name] : []),
    ...idFields(value),
  ]);
}

function isIdField(name: string): boolean {
  return /(^|_)ids?$|^into$|^fileid$|_filter$/.test(name);
}

test('every id that an operation takes, in its path, query or body, is asked with an id of another account', async () => {
  const { json } = await openBrowser(service).call('/docs/openapi.json');
  const missing: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, Operation>>(json.paths)) {
    for (const { operationId, parameters = [], requestBody } of Object.values(methods)) {
      const asked = askedOfOthers[operationId]?.(everything('their'), everything('own')) ?? [];
      const positions = path.split('/').flatMap((part, at) => (/^\{.*(id|token)\}$/.test(part) ? [at] : []));
      for (const at of positions) {
        const isAsked = asked.some((each) => each.path.split('?')[0]?.split('/')[at]?.startsWith('their-'));
        if (!isAsked) missing.push(`${path.split('/')[at]} of ${operationId}`);
      }
      const inQuery = parameters.filter((each) => each.in === 'query' && isIdField(each.name));
      for (const { name } of inQuery) {
        const isAsked = asked.some((each) => each.path.includes(`${name}=their-`));
        if (!isAsked) missing.push(`${name} of ${operationId}`);
      }
      for (const name of idFields(requestBody?.content['application/json']?.schema)) {
        const pattern = new RegExp(`"${name}":\\[?"their-`);
        if (!asked.some(({ body }) => pattern.test(JSON.stringify(body) ?? ''))) {
          missing.push(`${name} of ${operationId}`);
        }
      }
    }
  }
  expect(missing.filter((each) => !noIds.includes(each))).toEqual([]);
});
