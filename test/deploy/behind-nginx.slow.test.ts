import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLynceusClient } from '@lynceus/client';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { type Service, startService } from '#bench/service.js';
import { type RunningNginx, startNginx } from '#server/http/fixtures/shipped-nginx.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { sample } from '../support/sample.js';
import { metricsExposed, metricsNamedInDeployFiles } from './dashboard.js';

const programs = findPostgres();
const canRun =
  (programs !== null || process.env['CI'] === 'true') &&
  haveProgram('/usr/sbin/nginx', ['-v'], 'nginx-light') &&
  (await haveDefaultModels());
const key = 'the-first-key-behind-nginx';

describe.skipIf(!canRun)('two replicas behind nginx with deploy/nginx.conf', { timeout: 300_000 }, () => {
  let cluster: Cluster;
  let dir: string;
  let nginx: RunningNginx;
  let databaseUrl: string;
  let ports: readonly [number, number];
  const running = new Map<number, Service>();

  const start = async (port: number) => {
    const service = await startService({
      LYNCEUS_DATABASE_URL: databaseUrl,
      LYNCEUS_DATA_DIR: join(dir, String(port)),
      LYNCEUS_JOIN_INSTALLATION: 'true',
      LYNCEUS_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
      LYNCEUS_FIRST_KEY: key,
      LYNCEUS_PORT: String(port),
      LYNCEUS_TRUSTED_PROXIES: '127.0.0.1',
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_RECOGNITION_PARTS: 'objects',
      LYNCEUS_DEFAULT_DETECTOR: 'coco-fast',
      LYNCEUS_DRAIN_DELAY_MS: '500',
    });
    running.set(port, service);
  };
  const serviceAt = (port: number) => {
    const service = running.get(port);
    if (service === undefined) throw new Error(`nothing runs at port ${port}`);
    return service;
  };
  beforeAll(async () => {
    if (programs === null) throw new Error('PostgreSQL is not installed.');
    dir = await mkdtemp(join(tmpdir(), 'lynceus-nginx-'));
    cluster = await startCluster(programs);
    const admin = new Client(cluster.url('postgres'));
    await admin.connect();
    const name = `test_${randomBytes(6).toString('hex')}`;
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    databaseUrl = cluster.url(name);
    ports = [await freePort(), await freePort()];
    await Promise.all(ports.map(start));
    nginx = await startNginx({ dir, port: await freePort(), replicas: ports });
  }, 300_000);
  afterAll(async () => {
    await nginx?.stop();
    await Promise.all([...running.values()].map((service) => service.stop()));
    await cluster?.remove();
    await rm(dir, { recursive: true, force: true });
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${nginx.url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } });
  const openClient = () => createLynceusClient({ baseUrl: nginx.url, apiKey: key, maxRetries: 5 });

  test('both get requests', async () => {
    for (let times = 0; times < 4; times++) expect((await ask('/readyz')).status).toBe(200);
    for (const port of ports) await expect.poll(() => nginx.answeredBy(port)).toBeGreaterThan(0);
  });

  test('every metric that the dashboard and the autoscaler read is exposed', async () => {
    const exposed = metricsExposed(await (await fetch(serviceAt(ports[0]).metricsUrl)).text());
    const named = metricsNamedInDeployFiles();
    expect(named.size).toBeGreaterThan(10);
    for (const [where, names] of named) {
      expect(names.length, where).toBeGreaterThan(0);
      expect(
        names.filter((name) => !exposed.has(name)),
        where,
      ).toEqual([]);
    }
  });

  test('events come as they happen, through whichever replica', async () => {
    const client = openClient();
    for await (const { event } of client.follow()) {
      if (event === 'open') await client.recognise(sample);
      if (event === 'analysis') break;
    }
  });

  test('a body of more than nginx allows by itself reaches the service, which answers in its own words', async () => {
    const answer = await ask('/predict/image', {
      method: 'POST',
      headers: { 'content-type': 'image/jpeg' },
      body: Buffer.alloc(3_000_000, 1),
    });
    expect(await answer.json()).toMatchObject({ error: { code: expect.any(String) } });
    expect(answer.status).not.toBe(413);
  });

  test('one is drained, started again, and the other killed: no client that retries sees an error', async () => {
    // A second attempt of this test may find one killed.
    for (const port of ports) {
      if (!(await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined))?.ok) await start(port);
    }
    const ending = new AbortController();
    const failures: string[] = [];
    let answered = 0;
    const read = async () => {
      while (!ending.signal.aborted) {
        const status = await statusOf(ask('/api/account'));
        if (status !== 200) failures.push(`GET was answered ${status}`);
        answered++;
      }
    };
    // As a client repeats a call whose connection broke, or that a balancer could not pass on.
    const predict = async () => {
      while (!ending.signal.aborted) {
        const once = () =>
          statusOf(
            ask('/predict/object_detection/?model_id=102', {
              method: 'POST',
              headers: { 'content-type': 'image/jpeg' },
              body: sample,
            }),
          );
        let status = await once();
        for (let retries = 0; retries < 5 && (status === 0 || status >= 500); retries++)
          status = await once();
        if (status !== 200) failures.push(`a prediction was answered ${status}`);
        answered++;
      }
    };
    const clients = [read(), read(), predict(), predict()];
    const moreAnswers = async () => {
      const before = answered;
      await expect.poll(() => answered).toBeGreaterThan(before + 20);
    };
    await moreAnswers();
    const [first, second] = ports;
    await serviceAt(first).stop();
    await moreAnswers();
    await start(first);
    // nginx leaves a replica out for a while after its connections failed: no other may go before that has passed.
    const before = await nginx.answeredBy(first);
    await expect.poll(() => nginx.answeredBy(first)).toBeGreaterThan(before + 3);
    process.kill(serviceAt(second).pid, 'SIGKILL');
    await moreAnswers();
    ending.abort();
    await Promise.all(clients);
    expect(failures).toEqual([]);
  });
});

/** 0 when the connection broke. */
function statusOf(answer: Promise<Response>): Promise<number> {
  return answer.then(
    ({ status }) => status,
    () => 0,
  );
}
