import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { type Service, startService } from '#bench/service.js';
import { connectRaw } from '#server/drops/ftp/fixtures/raw-client.js';
import { haveDefaultModels } from '../support/default-models.js';
import { sample, upload } from '../support/sample.js';

const programs = findPostgres();
if (programs === null) console.warn('skipped: PostgreSQL is not installed');
const canRun = (programs !== null || process.env['CI'] === 'true') && (await haveDefaultModels());

describe.skipIf(!canRun)('the service on PostgreSQL', { timeout: 300_000 }, () => {
  let cluster: Cluster;
  let dir: string;
  const services: Service[] = [];
  beforeAll(async () => {
    if (programs === null) throw new Error('PostgreSQL is not installed.');
    dir = await mkdtemp(join(tmpdir(), 'lynceus-replicas-'));
    cluster = await startCluster(programs);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await cluster.remove();
    await rm(dir, { recursive: true, force: true });
  });

  const newDatabase = async () => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    const admin = new Client(cluster.url('postgres'));
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    return cluster.url(name);
  };
  const settings = (databaseUrl: string, name: string) => ({
    LYNCEUS_DATABASE_URL: databaseUrl,
    LYNCEUS_DATA_DIR: join(dir, name),
    LYNCEUS_JOIN_INSTALLATION: 'true',
    // Services on one database share it.
    LYNCEUS_SECRET_KEY: createHash('sha256').update(databaseUrl).digest('base64url'),
    LYNCEUS_FIRST_KEY: `first-${databaseUrl.slice(-12)}`,
    LYNCEUS_TRIAL_CALLS: '10',
    LYNCEUS_INFERENCE_PROCESSES: '1',
    LYNCEUS_RECOGNITION_PARTS: 'objects',
  });
  const start = async (databaseUrl: string, name: string, more: Readonly<Record<string, string>> = {}) => {
    const env = { ...settings(databaseUrl, name), ...more };
    const service = { ...(await startService(env)), key: env.LYNCEUS_FIRST_KEY };
    services.push(service);
    return service;
  };
  const predict = async ({ url }: Service, key: string) => {
    const answer = await fetch(`${url}/predict/image?apikey=${key}`, {
      method: 'POST',
      body: upload(sample),
    });
    return {
      http: answer.status,
      ...((await answer.json()) as { readonly status: string; readonly fileid?: string }),
    };
  };
  const ask = async ({ url, key }: Service, path: string) => {
    const answer = await fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { http: answer.status, body: (await answer.json()) as { readonly total: number } };
  };

  test('an answer given before it was killed is counted and kept after it starts again', async () => {
    const databaseUrl = await newDatabase();
    const killed = await start(databaseUrl, 'killed');
    const fileids: string[] = [];
    let sent = 0;
    const call = async () => {
      for (;;) {
        sent += 1;
        const { http, fileid } = await predict(killed, killed.key);
        if (http === 200 && fileid) fileids.push(fileid);
        if (fileids.length === 8) process.kill(killed.pid, 'SIGKILL');
      }
    };
    await Promise.allSettled([call(), call(), call()]);

    const again = await start(databaseUrl, 'killed');
    expect(fileids.length).toBeGreaterThanOrEqual(8);
    for (const fileid of fileids) expect(await ask(again, `files/${fileid}`)).toMatchObject({ http: 200 });
    const { total } = (await ask(again, 'usage')).body;
    expect(total).toBeGreaterThanOrEqual(fileids.length);
    expect(total).toBeLessThanOrEqual(sent);
    await again.stop();
  });

  test('is busy while the database is away, and answers by itself when it is back', async () => {
    const service = await start(await newDatabase(), 'patient');
    const isReady = async () => (await fetch(`${service.url}/readyz`)).status;
    for (const how of ['fast', 'immediate'] as const) {
      expect((await predict(service, service.key)).http).toBe(200);
      await cluster.stop(how);
      // At first it stays with the balancer: no other replica is better.
      await expect
        .poll(async () => (await fetch(`${service.url}/readyz`)).json(), { timeout: 120_000, interval: 100 })
        .toMatchObject({
          ready: true,
          status: 'degraded',
          components: expect.arrayContaining([
            {
              name: 'database',
              ready: true,
              status: 'degraded',
              reason: expect.stringMatching(/PostgreSQL/),
            },
          ]),
        });
      await expect.poll(isReady, { timeout: 120_000 }).toBe(503);
      expect(await predict(service, service.key)).toMatchObject({ http: 503 });
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
      await cluster.start();
      await expect.poll(isReady, { timeout: 120_000 }).toBe(200);
    }
    expect((await predict(service, service.key)).http).toBe(200);
    expect((await ask(service, 'usage')).body.total).toBe(3);
    await service.stop();
  });

  test('answers what it gets while the database is stopped and started by 200, or 503 with Retry-After', async () => {
    const service = await start(await newDatabase(), 'asked');
    const seen = { answered: 0, busy: 0 };
    let isOver = false;
    const call = async () => {
      while (!isOver) {
        const answer = await fetch(
          `${service.url}/predict/object_detection/?model_id=102&apikey=${service.key}`,
          {
            method: 'POST',
            body: upload(sample),
          },
        );
        const { status } = (await answer.json()) as { readonly status: string };
        if (answer.status === 200 && status === 'ok') seen.answered += 1;
        else {
          expect([answer.status, status, answer.headers.get('retry-after')]).toEqual([
            503,
            'Error (Service Busy)',
            '1',
          ]);
          seen.busy += 1;
        }
      }
    };
    const calls = [call(), call(), call(), call()];
    const more = async (kind: 'answered' | 'busy') => {
      const before = seen[kind];
      await expect.poll(() => seen[kind], { timeout: 120_000 }).toBeGreaterThan(before + 5);
    };
    await more('answered');
    await cluster.stop('immediate');
    await more('busy');
    await cluster.start();
    await more('answered');
    isOver = true;
    await Promise.all(calls);
    const { total } = (await ask(service, 'usage')).body;
    expect(total).toBeGreaterThanOrEqual(seen.answered);
    expect(total).toBeLessThanOrEqual(seen.answered + seen.busy);
    await service.stop();
  });

  test('two replicas that start at once show one certificate to FTP clients, and so does one with a new folder', async () => {
    const databaseUrl = await newDatabase();
    const shownBy = async (name: string) => {
      const port = await freePort();
      const service = await start(databaseUrl, name, {
        LYNCEUS_FTP_PORT: String(port),
        LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
      });
      const client = await connectRaw(port);
      await client.beginTls();
      const { socket } = client;
      const shown = socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint256 : '';
      client.close();
      await service.stop();
      return shown;
    };
    const [one, two] = await Promise.all([shownBy('ftp-one'), shownBy('ftp-two')]);
    expect(one).toMatch(/^[0-9A-F:]{95}$/);
    expect(two).toBe(one);
    expect(await shownBy('ftp-three')).toBe(one);
  });

  test('two replicas that start at once share accounts, and an allowance to the last call', async () => {
    const databaseUrl = await newDatabase();
    const [one, two] = await Promise.all([start(databaseUrl, 'one'), start(databaseUrl, 'two')]);
    const trial = await makeKey(settings(databaseUrl, 'command'), 'trial');
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => predict(index % 2 === 0 ? one : two, trial)),
    );
    const counts = new Map<string, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      ok: 10,
      'Error (You Have Reached Your Trial API Call limit)': 54,
    });
    for (const service of [one, two]) {
      expect((await ask({ ...service, key: trial }, 'usage')).body.total).toBe(10);
      expect((await predict(service, service.key)).http).toBe(200);
    }
    expect((await ask(one, 'usage')).body.total).toBe(2);
    await Promise.all([one.stop(), two.stop()]);
  });
});

const commandLine = new URL('../../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;

async function makeKey(env: Readonly<Record<string, string>>, account: string): Promise<string> {
  const make = `(await import('${commandLine}')).runCommandLine(['keys', 'create', '--account', '${account}'])`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `await ${make}`],
    { env: { PATH: process.env['PATH'], ...env } },
  );
  return stdout.trim();
}
