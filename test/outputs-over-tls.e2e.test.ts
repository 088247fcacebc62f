import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { type MadeCertificate, makeCertificate } from '#server/delivery/fixtures/certificate.js';
import { haveMosquitto, type Mosquitto, startMosquitto } from '#server/streams/outputs/fixtures/mosquitto.js';
import { haveOpenssl } from './hostile/certificates.js';
import { haveDefaultModels } from './support/default-models.js';

const ready = haveOpenssl() && haveMosquitto() && (await haveDefaultModels());
describe.skipIf(!ready)('a service that is given an authority of its operator', () => {
  let dir: string;
  let service: Service;
  let broker: Mosquitto;
  let hook: Server;
  let stranger: MadeCertificate;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-authorities-'));
    const authority = makeCertificate(dir, 'authority');
    const certificate = makeCertificate(dir, 'receiver', 'IP:127.0.0.1', authority);
    stranger = makeCertificate(dir, 'stranger');
    broker = await startMosquitto(['allow_anonymous true'], certificate);
    hook = createServer({ key: certificate.key, cert: certificate.certificate }, (_request, response) =>
      response.end(),
    );
    service = await startService({
      LYNCEUS_ROLES: 'http,jobs',
      LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: authority.certificatePath,
    });
  });
  afterAll(async () => {
    hook.close();
    await Promise.all([service.stop(), broker.stop()]);
    await rm(dir, { recursive: true, force: true });
  });

  const call = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return JSON.parse(await answer.text());
  };
  const tryOutput = async (settings: object) => {
    const { id } = await call('/api/stream-outputs', { name: 'receiver', settings });
    return call(`/api/stream-outputs/${id}/test`, {});
  };
  const listenForHook = async () => {
    if (!hook.listening) await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const bound = hook.address();
    return `https://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/events`;
  };

  test('sends events to a broker and to a webhook whose certificates that authority signed', async () => {
    expect(await tryOutput({ kind: 'mqtt', url: broker.url })).toMatchObject({ ok: true });
    expect(await tryOutput({ kind: 'webhook', url: await listenForHook() })).toMatchObject({ ok: true });
  });

  test('trusts the certificate of an output alone where that has one', async () => {
    const settings = { kind: 'mqtt', url: broker.url, certificate: stranger.certificate };
    expect(await tryOutput(settings)).toMatchObject({ ok: false, problem: 'identity' });
  });
});
