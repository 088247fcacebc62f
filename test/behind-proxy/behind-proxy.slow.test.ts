import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { openConsole } from '../console/open-console.js';
import { haveOpenssl, makeCertificate } from '../hostile/certificates.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { type RunningProxy, startCaddy, startNginx } from './proxies.js';

const haveParts = haveOpenssl() && (await haveDefaultModels());
const proxies = [
  {
    name: 'nginx',
    start: startNginx,
    pathPrefix: '/vision',
    isHere: haveProgram('/usr/sbin/nginx', ['-v'], 'nginx-light'),
  },
  {
    name: 'Caddy',
    start: startCaddy,
    pathPrefix: '',
    isHere: haveProgram('caddy', ['version'], 'caddy'),
  },
];
const limitOfAddress = 60;

describe.each(proxies)('behind $name, as the docs set it up', ({ start, isHere, pathPrefix }) => {
  describe.skipIf(!isHere || !haveParts)('the service', () => {
    let dir: string;
    let settings: Record<string, string>;
    let service: Service;
    let proxy: RunningProxy;
    // Comes from another address than the proxy, whose word is believed.
    const dispatcher = new Agent({ localAddress: '127.0.0.2', connect: { rejectUnauthorized: false } });
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'lynceus-proxy-'));
      const port = await freePort();
      settings = {
        LYNCEUS_PATH_PREFIX: pathPrefix,
        LYNCEUS_PUBLIC_ADDRESS: `https://localhost:${port}${pathPrefix}`,
        LYNCEUS_DATA_DIR: join(dir, 'data'),
        LYNCEUS_TRUSTED_PROXIES: '127.0.0.1, ::1',
        LYNCEUS_INFERENCE_PROCESSES: '1',
        LYNCEUS_RECOGNITION_PARTS: 'objects',
        LYNCEUS_RATE_LIMIT_PER_ADDRESS: String(limitOfAddress),
      };
      service = await startService(settings);
      makeCertificate(dir, 'proxy', { subject: 'DNS:localhost', days: 2 });
      const certificate = { certPath: join(dir, 'proxy.crt'), keyPath: join(dir, 'proxy.key') };
      const servicePort = Number(new URL(service.url).port);
      proxy = await start({ dir, servicePort, port, pathPrefix, certificate });
    });
    afterAll(async () => {
      await proxy?.stop();
      await service?.stop();
      await dispatcher.destroy();
      await rm(dir, { recursive: true, force: true });
    });
    const ask = (path: string, options: Parameters<typeof request>[1] = {}) =>
      request(`${proxy.url}${path}`, { dispatcher, ...options });
    const predict = (path: string, body: Buffer) =>
      ask(path, {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': 'image/png' },
        body,
      });

    test('the page comes with its headers, those of TLS among them', async () => {
      const answer = await ask('/');
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
      });
      expect(await answer.body.text()).toContain('<div id="root">');
    });

    test('an image of 20 MB is looked at, and one that is too large refused in our own words', async () => {
      const side = 2650;
      const raw = randomBytes(side * side * 3);
      const image = await sharp(raw, { raw: { width: side, height: side, channels: 3 } })
        .png({ compressionLevel: 0 })
        .toBuffer();
      expect(image.length).toBeGreaterThan(20e6);
      const path = '/predict/object_detection/?model_id=102';
      const answer = await predict(path, image);
      expect(await answer.body.json()).toMatchObject({ status: 'ok' });
      const refused = await predict(path, Buffer.concat([image, Buffer.alloc(8e6)]));
      expect(refused.statusCode).toBe(413);
      expect(await refused.body.json()).toMatchObject({ error: { code: 'file_too_large' } });
    });

    test('events come as they happen', async () => {
      const leaving = new AbortController();
      const answer = await ask('/api/events', {
        headers: { 'x-api-key': service.key },
        signal: leaving.signal,
      });
      let received = '';
      const reading = (async () => {
        for await (const piece of answer.body) received += String(piece);
      })().catch(() => undefined);
      const soon = { timeout: 120_000, interval: 50 };
      await vi.waitFor(() => expect(received).toContain('event: open'), soon);
      const plain = { width: 64, height: 64, channels: 3, background: 'teal' } as const;
      const found = await predict('/predict/image', await sharp({ create: plain }).png().toBuffer());
      await found.body.dump();
      await vi.waitFor(() => expect(received).toContain('event: analysis'), soon);
      leaving.abort();
      await reading;
    });

    test.skipIf(pathPrefix === '' || !haveChromium())(
      'the page lives below its path, and goes on by itself after a restart of the service',
      { timeout: 300_000 },
      async () => {
        const console = await openConsole({ ...service, url: proxy.url }, ['--ignore-certificate-errors']);
        const { page, errors } = await console.open('/');
        await page.getByText(`${proxy.url}/predict/image`).first().waitFor();
        await page.getByRole('link', { name: 'Keys' }).click();
        await page.waitForURL(`${proxy.url}/keys`);
        await page.reload();
        await page.getByRole('button', { name: 'Create a key' }).click();
        await page.getByRole('dialog').getByLabel('Name').fill('made before');
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Create/ })
          .click();
        await page.getByRole('dialog').getByText(/^lyn_/).waitFor();
        await page.keyboard.press('Escape');
        expect(errors).toEqual([]);

        const refused = page.waitForResponse(
          (answer) => answer.url().endsWith('/api/events') && answer.status() === 502,
        );
        await service.stop();
        await refused;
        const { key } = service;
        const port = new URL(service.url).port;
        service = { ...(await startService({ ...settings, LYNCEUS_PORT: port })), key };
        const made = await ask('/api/keys', {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'made meanwhile' }),
        });
        expect(made.statusCode).toBe(201);
        await made.body.dump();
        await page.getByText('made meanwhile').waitFor();
        await page.getByText('made before').waitFor();
        await console.close();
      },
    );

    test('a client that makes its address up is limited all the same', async () => {
      const statuses = new Set<number>();
      for (let count = 0; count <= limitOfAddress && !statuses.has(429); count++) {
        const answer = await ask('/api/account', {
          headers: { 'x-api-key': service.key, 'x-forwarded-for': `203.0.113.${count}` },
        });
        await answer.body.dump();
        statuses.add(answer.statusCode);
      }
      expect(statuses).toContain(429);
    });

    test('no key is in its logs, after an error either', async () => {
      await service.stop();
      const answer = await ask(`/api/account?apikey=${service.key}`);
      await answer.body.dump();
      expect(answer.statusCode).toBe(502);
      const logs = await proxy.readLogs();
      expect(logs).not.toBe('');
      expect(logs).not.toContain(service.key);
    });
  });
});
