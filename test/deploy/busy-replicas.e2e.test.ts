import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type RunningNginx, startNginx } from '#server/http/fixtures/shipped-nginx.js';
import { haveProgram } from '../support/have-program.js';

describe.skipIf(!haveProgram('/usr/sbin/nginx', ['-v'], 'nginx-light'))(
  'nginx with deploy/nginx.conf',
  () => {
    let dir: string;
    let nginx: RunningNginx;
    const servers: Server[] = [];
    const asked: string[] = [];
    const startBusy = async (): Promise<number> => {
      const server = createServer((request, response) => {
        request.resume();
        asked.push(`${request.method} ${request.url}`);
        response.writeHead(request.url === '/busy' ? 503 : 200).end();
      }).listen(0, '127.0.0.1');
      servers.push(server);
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    };
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'lynceus-busy-'));
      nginx = await startNginx({
        dir,
        port: await freePort(),
        replicas: [await startBusy(), await startBusy()],
      });
    });
    afterAll(async () => {
      await nginx?.stop();
      for (const server of servers) server.close();
      await rm(dir, { recursive: true, force: true });
    });

    const statusOf = async (path: string, init: RequestInit = {}) =>
      (await fetch(`${nginx.url}${path}`, init)).status;

    test('calls that replicas answer 503 take no replica away from other callers', async () => {
      for (let calls = 0; calls < 12; calls += 1) {
        expect(await statusOf('/busy')).toBe(503);
        expect(await statusOf('/')).toBe(200);
      }
    });

    test('a call that a replica answered 503 is not tried on the other', async () => {
      asked.length = 0;
      expect(await statusOf('/busy', { method: 'PUT', body: 'small' })).toBe(503);
      expect(asked).toEqual(['PUT /busy']);
    });
  },
);
