import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type MadeCertificate, makeCertificate } from '../../delivery/fixtures/certificate.js';
import { insertEvent, insertStream, newTrack } from '../fixtures/insert-event.js';
import { haveOpenssl } from '../fixtures/programs.js';
import { haveMosquitto, startMosquitto, subscribe } from './fixtures/mosquitto.js';
import { openWorkingOutputs, type WorkingOutputs } from './fixtures/working-outputs.js';
import type { OutputSecrets, OutputSettingsChange } from './output-settings.js';

interface Receiver {
  readonly settings: OutputSettingsChange;
  /** What has come, as text. */
  heard(): readonly string[];
  stop(): Promise<unknown>;
}

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 60_000, interval: 20 });
const password = 'p4ssw0rd';
const { signal } = new AbortController();

describe.skipIf(!haveOpenssl() || !haveMosquitto())('an output over TLS', () => {
  let dir: string;
  let service: WorkingOutputs;
  let authority: MadeCertificate;
  let stranger: MadeCertificate;
  let certificate: MadeCertificate;
  let ofOtherName: MadeCertificate;
  let receiver: Receiver;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-outputs-tls-'));
    authority = makeCertificate(dir, 'authority');
    stranger = makeCertificate(dir, 'stranger');
    certificate = makeCertificate(dir, 'receiver', 'IP:127.0.0.1', authority);
    ofOtherName = makeCertificate(dir, 'other', 'DNS:other.example', authority);
    execFileSync('mosquitto_passwd', ['-b', '-c', join(dir, 'passwords'), 'desk', password], {
      stdio: 'ignore',
    });
    service = await openWorkingOutputs();
  });
  afterEach(async () => {
    await service.removeAll();
    await receiver.stop();
  });
  afterAll(async () => {
    await service.close();
    await rm(dir, { recursive: true, force: true });
  });

  const startBroker = async (tls: MadeCertificate): Promise<Receiver> => {
    const broker = await startMosquitto(
      ['allow_anonymous false', `password_file ${join(dir, 'passwords')}`],
      tls,
    );
    const ears = await subscribe(broker.url, ['#'], {
      rejectUnauthorized: false,
      username: 'desk',
      password,
    });
    return {
      settings: { kind: 'mqtt', url: broker.url, username: 'desk' },
      heard: () => ears.heard.filter(({ topic }) => topic.endsWith('/events')).map(({ text }) => text),
      async stop() {
        await ears.close();
        await broker.stop();
      },
    };
  };
  const startHook = async (tls: MadeCertificate): Promise<Receiver> => {
    const heard: string[] = [];
    const server = createServer({ key: tls.key, cert: tls.certificate }, async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      if (JSON.parse(text).kind !== 'test') heard.push(text);
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      settings: { kind: 'webhook', url: `https://127.0.0.1:${port}/events` },
      heard: () => heard,
      stop: async () => server.close(),
    };
  };
  const add = async (
    more: Partial<Pick<OutputSettingsChange, 'certificate' | 'certificateUnchecked'>>,
    secrets: OutputSecrets = receiver.settings.kind === 'mqtt' ? { password } : { token: password },
  ) => {
    const settings = { ...receiver.settings, ...more };
    const { output } = await service.outputs.create(service.accountId, { name: 'tls', settings, secrets });
    return {
      test: () => service.test(service.accountId, output.id, signal),
      read: () => service.outputs.read(service.accountId, output.id),
      // A password goes to no other receiver than the one it was given for, and who has another certificate is another.
      change: (changed: typeof more) =>
        service.outputs.change(service.accountId, output.id, {
          settings: { ...settings, ...changed },
          secrets,
        }),
    };
  };
  const sendEvent = async () => {
    const stream = await insertStream(service.database, service.accountId, 'Front door');
    return insertEvent(service.database, newTrack(service.accountId, stream.id), 'start');
  };

  describe.each([
    ['a broker', startBroker],
    ['a webhook', startHook],
  ])('to %s', (_what, start) => {
    test.each<[string, () => Parameters<typeof add>[0]]>([
      ["the authority's certificate", () => ({ certificate: authority.certificate })],
      ["the receiver's own certificate", () => ({ certificate: certificate.certificate })],
      ['no check of certificates', () => ({ certificateUnchecked: true })],
    ])('is sent events with %s', async (_how, settingsOf) => {
      receiver = await start(certificate);
      const { test: tryIt, read } = await add(settingsOf());
      expect(await tryIt()).toMatchObject({ isGood: true });
      const seq = await sendEvent();
      await until(async () => (await read()).deliveredSeq === seq);
      expect(receiver.heard().map((text) => JSON.parse(text).seq)).toEqual([seq]);
      expect(await read()).toMatchObject({ failingSince: null, error: null });
    });

    test.each<[string, () => [MadeCertificate, Parameters<typeof add>[0]], string]>([
      [
        'of an authority that is not known',
        () => [certificate, {}],
        "the server's certificate is not signed by a known authority; give the authority's certificate, or the server's own, as certificate",
      ],
      [
        'that is signed by itself',
        () => [stranger, {}],
        "the server's certificate is not signed by a known authority; give the authority's certificate, or the server's own, as certificate",
      ],
      [
        'of another authority than the one that is given',
        () => [stranger, { certificate: authority.certificate }],
        "the server's certificate is not signed by a known authority; give the authority's certificate, or the server's own, as certificate",
      ],
      [
        'of another name',
        () => [ofOtherName, { certificate: authority.certificate }],
        "the server's certificate is for another name; correct the host, or give the certificate itself as certificate",
      ],
    ])('sends nothing to a certificate %s, and says what to do', async (_what2, caseOf, message) => {
      const [presented, settings] = caseOf();
      receiver = await start(presented);
      const { test: tryIt, read, change } = await add(settings);
      expect(await tryIt()).toMatchObject({ isGood: false, problem: 'identity', message });
      const before = (await read()).deliveredSeq;
      await sendEvent();
      await until(async () => (await read()).failingSince !== null);
      expect(await read()).toMatchObject({ error: message, deliveredSeq: before, givenUp: 0 });
      expect(receiver.heard()).toEqual([]);
      // What is set right is used at once, and the event that waited is sent.
      await change({ certificateUnchecked: true });
      await until(() => receiver.heard().length === 1);
    });
  });

  test('a broker that refuses user name or password is said to, without the password', async () => {
    receiver = await startBroker(certificate);
    const { test: tryIt, read } = await add(
      { certificate: authority.certificate },
      { password: 'wr0ng-password' },
    );
    const message = 'the broker does not let this client in; check user name, password and client_id';
    expect(await tryIt()).toMatchObject({ problem: 'credentials', message });
    await until(async () => (await read()).failingSince !== null);
    expect((await read()).error).toBe(message);
    expect(service.logLines.join('')).not.toContain('wr0ng-password');
  });
});
