import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { samplePath } from '../support/sample.js';
import { expectSign, useClients } from './use-clients.js';

const jquery = createRequire(import.meta.url).resolve('jquery');
const files: Readonly<Record<string, readonly [type: string, path: string | URL]>> = {
  '/': ['text/html', new URL('../../clients/page.html', import.meta.url)],
  '/jquery.js': ['text/javascript', jquery],
  '/image.jpg': ['image/jpeg', samplePath],
};
const ready = (await haveDefaultModels()) && haveChromium();

describe.skipIf(!ready)('a page of another origin, with jQuery in Chromium', () => {
  const clients = useClients();
  let site: Server;
  let browser: Browser;
  beforeAll(async () => {
    site = createServer(async ({ url = '' }, answer) => {
      const [type, path] = files[url.split('?')[0] ?? ''] ?? [];
      if (type === undefined || path === undefined) return answer.writeHead(404).end();
      return answer.setHeader('content-type', type).end(await readFile(path));
    }).listen(0, '127.0.0.1');
    // Root has no sandbox to go into; the page is our own.
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    site.close();
  });

  test('sends images and reads answers, errors among them', async () => {
    const { service } = clients();
    const page = await browser.newPage();
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?base=${encodeURIComponent(service.url)}&key=${service.key}`);
    const results: Record<string, { readonly requestId?: string; readonly error?: { request_id: string } }> =
      await page.evaluate('recogniseAll()');
    const {
      'a wrong key': wrongKey,
      'a wrong method': wrongMethod,
      'no such path': noPath,
      ...found
    } = results;
    expect(Object.keys(found)).toHaveLength(5);
    for (const [form, answer] of Object.entries(found)) expectSign(answer, form);
    expect(wrongKey).toMatchObject({ http: 401, status: 'Error (Invalid API Key)' });
    expect(wrongKey?.requestId).toBe(wrongKey?.error?.request_id);
    expect(noPath).toMatchObject({ http: 404, status: 'Error (Not Found)' });
    // A pre-flight allows the methods that there are, and the browser does not send another.
    expect(wrongMethod).toMatchObject({ http: 0 });
  });
});
