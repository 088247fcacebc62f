import { readFile } from 'node:fs/promises';
import { createLynceusClient, type LynceusClient, LynceusError } from '@lynceus/client';
import { describe, expect, test } from 'vitest';

const image = Uint8Array.of(0xff, 0xd8, 0xff);
const sent: string[] = [];
const client = createLynceusClient({
  baseUrl: 'http://service.example',
  apiKey: 'key',
  fetch: async (url) => {
    sent.push(url);
    return new Response('{"data": [], "next_cursor": null}');
  },
});

type Call = (...given: unknown[]) => unknown;
/** As a program without types calls it. */
const untyped = client as unknown as Readonly<Record<string, Record<string, Call> & Call>>;

function callsOf(object: object, prefix = ''): [name: string, call: Call][] {
  return Object.entries(object).flatMap(([name, value]) =>
    typeof value === 'function' ? [[prefix + name, value]] : callsOf(value, `${prefix}${name}.`),
  );
}

/** What the call throws, when it is awaited or walked. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    const made = call();
    if (made instanceof Promise) await made;
    else await (made as AsyncGenerator).next();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function messageOf(call: (client: typeof untyped) => unknown): Promise<string> {
  sent.length = 0;
  const error = await failureOf(() => call(untyped));
  expect(error).toBeInstanceOf(LynceusError);
  expect(error).toMatchObject({ code: 'wrong_parameters', httpStatus: null });
  expect(sent).toEqual([]);
  return error instanceof Error ? error.message : '';
}

describe('before anything is sent', () => {
  test.each<[string, (client: typeof untyped) => unknown]>([
    [
      'expires_at is no option of keys.create: use expiresAt',
      ({ keys }) => keys?.['create']?.({ name: 'x', expires_at: '2099-01-31T12:00:00Z' }),
    ],
    [
      'model_id is no option of detect: use modelId',
      ({ detect }) => detect?.(image, { model_id: 'coco-fast', conf_thresh: 0.99 }),
    ],
    [
      'threshold is no option of detect, which takes modelId, confThresh, nmsThresh, signal, timeoutMs',
      ({ detect }) => detect?.(image, { threshold: 0.99 }),
    ],
    ['timeout_ms is no option of account: use timeoutMs', ({ account }) => account?.({ timeout_ms: 5 })],
    ['toString is no option of', ({ account }) => account?.({ toString: 5 })],
    [
      'person_id is no option of faceImages.add: use personId',
      ({ faceImages }) => faceImages?.['add']?.(image, { person_id: 1 }),
    ],
    ['personId is missing', ({ faceImages }) => faceImages?.['add']?.(image)],
    ['personId is missing', ({ faceImages }) => faceImages?.['add']?.(image, { personId: null })],
    [
      'perceptions.search takes options as an object with these names: modelId, personId,',
      ({ perceptions }) => perceptions?.['search']?.(image, 1010),
    ],
    ['detect takes options as an object', ({ detect }) => detect?.(image, null)],
    ['people.change takes options as an object', ({ people }) => people?.['change']?.(1001)],
    ['ownUser.change takes options as an object', ({ ownUser }) => ownUser?.['change']?.()],
    ['parts must be an array', ({ recognise }) => recognise?.(image, { parts: 'objects' })],
    [
      'allowedNetworks must be an array',
      ({ admin }) => {
        const listeners = admin?.['compatListeners'] as unknown as Record<string, Call>;
        return listeners['create']?.({ port: 5000, keyId: 1, allowedNetworks: '10.0.0.0/8' });
      },
    ],
    [
      'dataset_id is no option of modelRuns.start: use datasetId',
      ({ modelRuns }) => modelRuns?.['start']?.(1001, { dataset_id: 1001 }),
    ],
    ['cursor is no option of people.list', ({ people }) => people?.['list']?.(1001, { cursor: 'abc' })],
    ['model_id is no option of faceImages', ({ faceImages }) => faceImages?.['list']?.({ model_id: 1001 })],
    ['id is missing', ({ people }) => people?.['read']?.()],
    ['timeoutMs must be a number', ({ account }) => account?.({ timeoutMs: '5 s' })],
    ['signal must be an AbortSignal', ({ account }) => account?.({ signal: 'stop' })],
    ['datasetImages.fetch cannot use', ({ datasetImages }) => datasetImages?.['fetch']?.(1001, 'a.jpg')],
    ['detect cannot use what it was given', ({ detect }) => detect?.(image, { modelId: 5n })],
    ['the image must be', ({ detect }) => detect?.({ url: undefined })],
  ])('a call without types fails: %s', async (message, call) => {
    expect(await messageOf(call)).toContain(message);
  });

  test.each(callsOf(client))('%s names an option that it does not know', async (name, call) => {
    const unknown = { wrong_name: 1 };
    const tries = [[unknown], [1, unknown], [1, [], unknown], [1, 2, [], unknown]];
    const errors = await Promise.all(tries.map((given) => failureOf(() => call(...given))));
    const messages = errors.map((error) => (error instanceof LynceusError ? error.message : ''));
    expect(messages).toContainEqual(expect.stringContaining(`wrong_name is no option of ${name}`));
  });

  test('what is undefined is taken as absent', async () => {
    const given = { modelId: undefined, model_id: undefined };
    expect(await failureOf(() => untyped['detect']?.(image, given))).toBeUndefined();
  });

  test('a client is not made with options that it does not know', () => {
    const options = { baseUrl: 'http://service.example', api_key: 'key' };
    const make = () => createLynceusClient(options as unknown as Parameters<typeof createLynceusClient>[0]);
    expect(make).toThrow(new TypeError('api_key is no option of createLynceusClient: use apiKey'));
  });
});

test('the table of the README has every call of the client', async () => {
  const readme = await readFile(new URL('../../../packages/client/README.md', import.meta.url), 'utf8');
  const named = new Set<string>();
  for (const [, cell = ''] of readme.matchAll(/^\| (`.*?) \|/gm)) {
    let group = '';
    for (const [, name = ''] of cell.matchAll(/`([\w.]+)(?:\([^`]*\))?`/g)) {
      const full = name.startsWith('.') ? group + name : name;
      group = full.replace(/\.?\w+$/, '');
      named.add(full);
    }
  }
  const members: LynceusClient = client;
  expect([...named].sort()).toEqual(
    callsOf(members)
      .map(([name]) => name)
      .sort(),
  );
});
