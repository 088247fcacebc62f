import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'basic-ftp';
import { freePort } from '../free-port.js';
import { startService } from '../service.js';

interface ApiAnswer {
  readonly id: number;
  readonly key: string;
  readonly ftp: { readonly user_name: string };
  readonly files: { readonly receiving: number; readonly waiting: number; readonly failed: number };
}

/** What is read of the time when a drop's files waited. */
const pollMs = 50;

/** The service with one drop, whose images go to a folder of this machine. */
export async function startDroppedService() {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-drop-'));
  const target = join(dir, 'target');
  await mkdir(target);
  const ftpPort = await freePort();
  const service = await startService({
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_DROP_FOLDERS: target,
  });
  const call = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const answer = await fetch(service.url + path, {
      method,
      headers: { 'x-api-key': service.key, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as ApiAnswer;
  };
  const { id, key, ftp } = await call('POST', '/api/drops', {
    name: 'bench',
    destination: { kind: 'folder', folder: target, path: '{name}' },
  });

  return {
    service,

    /** Uploads by so many connections at once; answers when each is where it is sent to, in seconds. */
    async send(images: readonly (readonly [name: string, bytes: Buffer])[], connections: number) {
      const startedAt = performance.now();
      const waiting = images.values();
      const upload = async () => {
        const client = new Client(30_000);
        await client.access({ host: '127.0.0.1', port: ftpPort, user: ftp.user_name, password: key });
        for (const [name, bytes] of waiting) await client.uploadFrom(Readable.from([bytes]), name);
        client.close();
      };
      await Promise.all(Array.from({ length: connections }, upload));
      for (;;) {
        const { files } = await call('GET', `/api/drops/${id}`);
        if (files.failed > 0) throw new Error(`${files.failed} images failed`);
        if (files.receiving + files.waiting === 0) break;
        await sleep(pollMs);
      }
      const endedAt = performance.now();
      const arrived = await readdir(target);
      if (arrived.length !== images.length) throw new Error(`${arrived.length} of ${images.length} arrived`);
      for (const name of arrived) await rm(join(target, name));
      return { seconds: (endedAt - startedAt) / 1000 };
    },

    async stop() {
      await service.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
