import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { callApi } from './api/fixtures/call-api.js';
import { ask } from './fixtures/ask.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

/**
 * What the head of a request shows to be refused is refused before its body comes: a client sends the head alone, says that
 * 36 MiB follow, and reads its answer.
 */

const bodyBytes = 36 * 1024 * 1024;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ maxJsonBytes: bodyBytes, maxImageBytes: bodyBytes });
}, 300_000);
afterAll(() => service.stop());

interface Early {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | undefined;
  readonly client: Socket;
  /** Of the service's end of the connection. */
  readonly server: Socket;
}

async function sendHead(
  { app, port }: TestService,
  line: string,
  { type = 'application/json', length = bodyBytes, headers = '' } = {},
): Promise<Early> {
  const accepted = once(app.server, 'connection');
  const client = connect(port, '127.0.0.1').setEncoding('utf8');
  client.on('error', () => undefined);
  onTestFinished(() => {
    client.destroy();
  });
  const [server] = await accepted;
  const head = `${line} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${headers}\r\n`;
  client.write(head);
  let text = '';
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (isWhole(text)) break;
  }
  // Not a byte of the body was there to be read.
  expect(server.bytesRead).toBe(Buffer.byteLength(head));
  const [answerHead = '', body = ''] = text.split('\r\n\r\n');
  const json = JSON.parse(body);
  return {
    status: Number(answerHead.split(' ')[1]),
    code: json.code ?? json.error.code,
    retryAfter: /retry-after: (\d+)/i.exec(answerHead)?.[1],
    client,
    server,
  };
}

function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

const form = { type: 'multipart/form-data; boundary=b' };
const raw = { type: 'image/jpeg' };
const predicting = [
  ['PUT /predict', {}],
  ['POST /predict/image', form],
  ['POST /predict/image', raw],
  ['POST /predict/object_detection/', form],
  ['POST /predict/face', form],
] as const;
const uploads = [
  ['POST /api/perceptions/7/images', raw],
  ['POST /api/perceptions/7/search', raw],
  ['POST /api/people/7/images', raw],
  ['POST /api/people/7/corrections', raw],
  ['POST /api/datasets/7/images', form],
  ['POST /api/datasets/7/import', { type: 'application/zip' }],
  ['POST /api/models/7/versions', form],
] as const;

describe('before its body is read', { timeout: 300_000 }, () => {
  test.each([
    ...predicting,
    ...uploads,
    ['POST /api/perceptions/import', { type: 'application/x-tar' }],
  ] as const)(
    '%s without a key, or with one that is nobody’s, is refused in whatever form the key stands: %j',
    async (line, options) => {
      const keys = ['', '?apikey=no', '?api_key=no'].map((query) => [query, ''] as const);
      const inHeaders = ['Authorization: Bearer no\r\n', 'X-API-Key: no\r\n'].map(
        (header) => ['', header] as const,
      );
      for (const [query, headers] of [...keys, ...inHeaders]) {
        const { status, code } = await sendHead(service, line + query, { ...options, headers });
        expect([status, code]).toEqual([401, 'invalid_api_key']);
      }
      expect(await service.filesInSpool()).toEqual([]);
    },
  );

  test.each(predicting)(
    '%s is refused by a spent allowance, of the account or of the key: %j',
    async (line, options) => {
      const { key } = await service.makeKey(`spent ${line} ${JSON.stringify(options)}`, 0);
      const spent = await sendHead(service, `${line}?api_key=${key}`, options);
      expect([spent.status, spent.code]).toEqual([429, 'trial_limit']);
      const limited = await callApi(service, '/api/keys', {
        method: 'POST',
        body: { name: 'limited', call_limit: 0 },
      });
      const ofKey = await sendHead(service, `${line}?api_key=${limited.json.key}`, options);
      expect([ofKey.status, ofKey.code]).toEqual([429, 'key_limit']);
      expect(await service.filesInSpool()).toEqual([]);
    },
  );

  test('a key and an address over their rate are refused, wherever a body could be sent', async () => {
    const lines = [...predicting, ['POST /api/datasets/7/images', form]] as const;
    const limited = await startTestService({ rateLimitPerKey: 1, rateLimitPerAddress: 2 * lines.length });
    try {
      for (const [line, options] of lines) {
        const { key } = await limited.makeKey(line + JSON.stringify(options));
        expect((await ask(`${limited.base}/api/account?api_key=${key}`)).status).toBe(200);
        const { status, code, retryAfter } = await sendHead(limited, `${line}?api_key=${key}`, options);
        expect([line, status, code]).toEqual([line, 429, 'too_many_requests']);
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
      for (const [line, options] of lines) {
        const { status, code } = await sendHead(limited, `${line}?api_key=no`, options);
        expect([line, status, code]).toEqual([line, 429, 'too_many_requests']);
      }
      expect(await limited.filesInSpool()).toEqual([]);
    } finally {
      await limited.stop();
    }
  }, 300_000);

  test.each([...predicting, ['POST /api/models/7/versions', form]] as const)(
    '%s is refused when its length is over the limit: %j',
    async (line, options) => {
      const { json } = await callApi(service, '/api/models', {
        method: 'POST',
        body: { name: 'm', task: 'classification' },
      });
      const at = line.replace('/models/7', `/models/${json.model_id}`);
      const { status, code } = await sendHead(service, `${at}?api_key=${service.key}`, {
        ...options,
        length: 2 * bodyBytes,
      });
      expect([status, code]).toEqual([413, 'file_too_large']);
    },
  );

  test('a method that a path does not take, a parameter of a v1 query, another account’s thing', async () => {
    const query = `?api_key=${service.key}`;
    for (const [line, wanted] of [
      [`PATCH /predict${query}`, 405],
      [`PUT /predict/image${query}`, 405],
      [`POST /nothing${query}`, 404],
      [`POST /predict/image${query}&model_id=77`, 400],
      [`POST /predict/object_detection/${query}&conf_thresh=2`, 400],
      ...uploads.map(
        ([upload]) => [upload + query, upload.includes('perceptions/7/images') ? 400 : 404] as const,
      ),
    ] as const) {
      expect([line, (await sendHead(service, line, form)).status]).toEqual([line, wanted]);
    }
    expect(await service.callsUsed()).toBe(0);
  });
});

test('a refused body is read away within the limits, and its connection serves the next request', async () => {
  const { client, server } = await sendHead(service, 'PUT /predict?api_key=no', { length: 8_000_000 });
  const heard = once(client, 'data');
  for (let sent = 0; sent < 8_000_000; sent += 80_000) {
    if (!client.write(Buffer.alloc(80_000, 'a'))) await once(client, 'drain');
  }
  client.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String(await heard)).toMatch(/^HTTP\/1\.1 200 /);
  expect(server.bytesRead).toBeGreaterThan(8_000_000);
  expect(service.spool.bytesInUse).toBe(0);
  expect(service.runner.seen).toHaveLength(0);
}, 300_000);
