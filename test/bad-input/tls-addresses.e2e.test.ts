import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { type Certificate, haveOpenssl, makeCertificate } from '../hostile/certificates.js';
import { type RemoteServer, startRemoteServer } from '../hostile/remote-server.js';
import { haveDefaultModels } from '../support/default-models.js';
import { sample } from '../support/sample.js';

const ready = haveOpenssl() && (await haveDefaultModels());
describe.skipIf(!ready)('an image by an https address', () => {
  let dir: string;
  let service: Service;
  let proxy: RemoteServer;
  const servers: Server[] = [];
  const certificates: Record<string, Certificate> = {};
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-tls-'));
    const make = (name: string, subject: string, days: number) => {
      certificates[name] = makeCertificate(dir, name, { subject, days });
    };
    make('trusted', 'IP:127.0.0.2', 2);
    make('of another name', 'DNS:other.example', 2);
    make('run out', 'IP:127.0.0.2', -1);
    // Known to the service, all but one.
    const known = Object.values(certificates).map(({ cert }) => cert);
    make('of a stranger', 'IP:127.0.0.2', 2);
    await writeFile(join(dir, 'known.pem'), Buffer.concat(known));
    proxy = await startRemoteServer(sample);
    const proxyUrl = proxy.address('');
    service = await startService({
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_RECOGNITION_PARTS: 'objects',
      LYNCEUS_FETCH_ALLOWED_NETWORKS: '127.0.0.2/32',
      NODE_EXTRA_CA_CERTS: join(dir, 'known.pem'),
      NODE_USE_ENV_PROXY: '1',
      ...Object.fromEntries(
        ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
          name,
          proxyUrl,
        ]),
      ),
    });
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await Promise.all([service.stop(), proxy.close()]);
    await rm(dir, { recursive: true });
  });

  const ask = async (certificate: Certificate | undefined) => {
    if (certificate === undefined) throw new Error('no such certificate');
    const remote = createServer(certificate, (_request, response) => response.end(sample));
    servers.push(remote);
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.2', resolve));
    const bound = remote.address();
    const port = typeof bound === 'object' && bound ? bound.port : 0;
    const answer = await fetch(`${service.url}/predict?api_key=${service.key}`, {
      method: 'PUT',
      body: JSON.stringify({ image_file_url: `https://127.0.0.2:${port}/`, model_id: 'coco-fast' }),
    });
    return { status: answer.status, body: JSON.stringify(await answer.json()) };
  };

  test('is fetched, and past the proxies of the environment', async () => {
    const { status, body } = await ask(certificates['trusted']);
    expect([status, body]).toEqual([200, expect.stringContaining('stop sign')]);
    expect(proxy.asked).toEqual([]);
  });

  test.each(['of another name', 'run out', 'of a stranger'])(
    'is not reachable behind a certificate %s',
    async (name) => {
      const { status, body } = await ask(certificates[name]);
      expect([status, body]).toEqual([502, expect.stringContaining('address_not_reachable')]);
    },
  );
});
