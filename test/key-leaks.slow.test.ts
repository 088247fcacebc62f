import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { findKeys } from './hostile/key-forms.js';
import { useKeyEverywhere, type Ways } from './hostile/key-locations.js';
import { noise } from './hostile/noise.js';
import { type RemoteServer, startRemoteServer } from './hostile/remote-server.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample } from './support/sample.js';

const commandLine = fileURLToPath(new URL('../../packages/server/dist/bundle/lynceus.mjs', import.meta.url));
const random = () => randomBytes(32).toString('base64url');

describe.skipIf(!(await haveDefaultModels()))('a key', () => {
  let dir: string;
  let dataDir: string;
  let service: Service;
  let remote: RemoteServer;
  let output = '';
  /** Everything that was answered, but for the answers whose purpose is to return a key or an address. */
  let answers = '';
  const keys: Record<string, string> = {
    'a wrong one': `lyn_${random()}`,
    'a wrong one of no form': `wrong~key.${random()}`,
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-leaks-'));
    dataDir = join(dir, 'data');
    remote = await startRemoteServer(sample);
    const first = `chosen~by.the-operator_${random()}`;
    keys['the first, chosen by the operator'] = first;
    service = await startService(
      {
        LYNCEUS_DATA_DIR: dataDir,
        LYNCEUS_SPOOL_DIR: join(dir, 'spool'),
        LYNCEUS_FIRST_KEY: first,
        LYNCEUS_LOG_LEVEL: 'trace',
        LYNCEUS_FETCH_TIMEOUT_MS: '500',
        LYNCEUS_FETCH_ALLOWED_NETWORKS: '127.0.0.2/32',
      },
      (text) => {
        output += text;
      },
    );
    // The banner shows the first key once, which is its purpose.
    while (!output.includes('curl')) await sleep(20);
    output = '';
    keys['a new one'] = await makeKey(first);
    keys['a revoked one'] = await makeKey(first, true);
  });
  afterAll(async () => {
    await Promise.all([service.stop(), remote.close()]);
    await rm(dir, { recursive: true, force: true });
  });

  /** Through the management API; the answer is left out of what is searched. */
  async function makeKey(by: string, revoke = false): Promise<string> {
    const headers = { 'x-api-key': by, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'made' });
    const made = await request(`${service.url}/api/keys`, { method: 'POST', headers, body });
    const json = await made.body.json();
    if (typeof json !== 'object' || json === null || !('key' in json) || !('id' in json)) {
      throw new Error('no key was made');
    }
    if (revoke) {
      const gone = await request(`${service.url}/api/keys/${json.id}`, { method: 'DELETE', headers });
      expect(gone.statusCode).toBe(204);
    }
    return String(json.key);
  }

  const send: Ways['send'] = async (method, path, headers = {}, body = null) => {
    const answer = await request(`${service.url}${path}`, { method, headers, body });
    answers += `${JSON.stringify(answer.headers)}\n${await answer.body.text()}\n`;
    return answer.statusCode;
  };

  async function sendRaw(text: string): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.setEncoding('latin1').on('data', (said: string) => {
      answers += said;
    });
    socket.on('error', () => undefined).end(text, 'latin1');
    await new Promise((resolve) => socket.once('close', resolve));
  }

  test('in every position where it may and may not be, is shown nowhere', { timeout: 300_000 }, async () => {
    for (const key of Object.values(keys)) await useKeyEverywhere(key, { send, sendRaw, remote });

    // A fault of ours is logged with its cause.
    const spool = join(dir, 'spool');
    const good = keys['the first, chosen by the operator'];
    await rename(spool, join(dir, 'away'));
    const path = `/predict/image?apikey=${good}&x=${good}`;
    expect(await send('POST', path, { 'x-api-key': String(good) }, noise(100_000))).toBe(500);
    await rename(join(dir, 'away'), spool);

    const metrics = await (await fetch(service.metricsUrl)).text();
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', `await (await import('${commandLine}')).runCommandLine(['backup'])`],
      { env: { ...process.env, LYNCEUS_DATA_DIR: dataDir } },
    );
    const kept = await filesUnder(dir);
    expect(kept.map(({ path: name }) => name)).toContain('data/lynceus.db-wal');
    expect(kept.filter(({ path: name }) => name.startsWith('spool'))).toEqual([]);

    expect(output).toContain('"request failed"');
    expect(output.length).toBeGreaterThan(10_000);
    expect(metrics).toContain('lynceus');
    expect(findKeys(output, keys, true)).toEqual([]);
    expect(findKeys(metrics, keys, true)).toEqual([]);
    expect(findKeys(answers, keys, true)).toEqual([]);
    for (const { path: name, bytes } of kept) {
      // The one place where a key is kept, for its owner alone, until it is read away.
      if (name === 'data/first-key') continue;
      expect(findKeys(bytes, keys, false), name).toEqual([]);
    }
  });

  async function filesUnder(folder: string): Promise<{ path: string; bytes: Buffer }[]> {
    const paths = await readdir(folder, { recursive: true });
    const files = await Promise.all(
      paths.map(async (path) => {
        const whole = join(folder, path);
        return (await stat(whole)).isFile() ? [{ path, bytes: await readFile(whole) }] : [];
      }),
    );
    return files.flat();
  }
});
