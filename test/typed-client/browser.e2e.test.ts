import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { imageBytes } from '@lynceus/server/dist/http/fixtures/bodies.js';
import { startTestService, type TestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, haveChromium } from '../support/chromium.js';
import { type StandIn, startStandIn } from './stand-in.js';

const built = fileURLToPath(new URL('../../../packages/client/dist/', import.meta.url));
/** The modules as they are built, and no bundler between. */
const html = `<!doctype html><title>Images</title><input type="file">
<script type="module">
  import { createLynceusClient, LynceusError } from '/client/index.js';
  window.createClient = createLynceusClient;
  window.picked = () => document.querySelector('input').files[0];
  window.failureOf = (call) => call.then(() => null, (error) =>
    ({ isOurs: error instanceof LynceusError, ...error, message: error.message }));
  window.isLoaded = true;
</script>`;

const image = imageBytes(200_000);

describe.skipIf(!haveChromium())('a page of another origin, in Chromium', () => {
  let service: TestService;
  let host: StandIn;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    service = await startTestService();
    host = await startStandIn((request, response) => {
      const path = request.url ?? '';
      if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
      const name = /^\/client\/([\w/-]+\.js)$/.exec(path)?.[1];
      if (name === undefined) return response.writeHead(404).end();
      return readFile(`${built}${name}`).then(
        (text) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(text),
        () => response.writeHead(404).end(),
      );
    });
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.goto(host.url);
    await page.waitForFunction('window.isLoaded');
    await page.evaluate(
      `client = createClient(${JSON.stringify({ baseUrl: service.base, apiKey: service.key })})`,
    );
    await page.locator('input').setInputFiles({ name: 'Straße.jpg', mimeType: 'image/jpeg', buffer: image });
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await service?.stop();
  });

  test.each([
    ['recognise(picked(), { parts: ["objects"] })', { predicttype: 'basic' }],
    ['recogniseWith(picked(), { modelId: 201 })', { model_id: '201' }],
    ['detect(picked(), { modelId: "coco-fast" })', { model_type: 'object_detection' }],
    ['detectObjects(picked())', { prediction_type: 'object_detection' }],
  ])('has the file of an input analysed: %s', async (call, answer) => {
    service.runner.seen.length = 0;
    const found = await page.evaluate(`client.${call}`);
    expect(found).toMatchObject({ ...answer, fileid: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(service.runner.seen.map(({ bytes }) => bytes.equals(image))).toEqual([true]);
  });

  test('carries out commands', async () => {
    const result = await page.evaluate('client.faces.createPerson({ modelId: 77, personName: "Zoë" })');
    expect(result).toMatchObject({ status: -1, post_type: 'create_person' });
  });

  test('reads why a call failed', async () => {
    const failure = await page.evaluate(
      `failureOf(createClient({ baseUrl: '${service.base}', apiKey: 'wrong' }).detect(picked()))`,
    );
    expect(failure).toMatchObject({
      isOurs: true,
      code: 'invalid_api_key',
      httpStatus: 401,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('asks how the service is', async () => {
    expect(await page.evaluate('client.health.ready()')).toMatchObject({ ready: true });
  });

  test('gets an error that the management API is closed to it', async () => {
    const failure = await page.evaluate('failureOf(client.account())');
    expect(failure).toMatchObject({ isOurs: true, code: 'network_error' });
    expect(failure).toMatchObject({ message: expect.stringContaining('another origin') });
  });

  test('gives a call up', async () => {
    const failure = await page.evaluate(
      'failureOf(client.detect(picked(), { signal: AbortSignal.abort() }))',
    );
    expect(failure).toMatchObject({ isOurs: true, code: 'aborted' });
  });
});
