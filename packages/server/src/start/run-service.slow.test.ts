import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const withoutModels = fileURLToPath(new URL('../bundle/service-without-models.mjs', import.meta.url));
const commandLine = fileURLToPath(new URL('../bundle/lynceus.mjs', import.meta.url));

interface Run {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** The printed address, once the service is ready. */
  ready(): Promise<string>;
  exit(): Promise<number | string>;
}

describe('the life of the service', { timeout: 300_000 }, () => {
  let dir: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-life-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  const run = (args: readonly string[], env: Record<string, string> = {}): Run => {
    const child = spawn(process.execPath, [...args], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        LYNCEUS_PORT: '0',
        LYNCEUS_DATA_DIR: join(dir, 'data'),
        LYNCEUS_MODELS_DIR: join(dir, 'models'),
        LYNCEUS_SPOOL_DIR: join(dir, 'spool'),
        LYNCEUS_INFERENCE_PROCESSES: '1',
        ...env,
      },
    });
    children.push(child);
    const text = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text.out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text.err += chunk;
    });
    const ended = new Promise<number | string>((resolve) => {
      child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    return {
      child,
      out: () => text.out,
      err: () => text.err,
      exit: () => ended,
      ready: () =>
        new Promise((resolve, reject) => {
          const look = () => {
            const address = /ready at (\S+)/.exec(text.err)?.[1];
            if (address && text.err.includes('curl')) resolve(address);
          };
          child.stderr.on('data', look);
          ended.then(() => reject(new Error(`ended before it was ready: ${text.err}${text.out}`)));
          look();
        }),
    };
  };
  const start = (env: Record<string, string> = {}) => run([withoutModels], env);
  const command = (words: readonly string[], env: Record<string, string> = {}) =>
    run(
      [
        '--input-type=module',
        '-e',
        `import { runCommandLine } from ${JSON.stringify(`file://${commandLine}`)};
         process.exitCode = await runCommandLine(${JSON.stringify(words)});`,
      ],
      env,
    );

  test('it prints the first key once, answers, and stops in order on SIGTERM', async () => {
    const first = start();
    const address = await first.ready();
    const key = readFileSync(join(dir, 'data', 'first-key'), 'utf8').trim();
    expect(first.err()).toContain(key);
    expect(first.err()).toMatch(/curl .*apikey=lyn_/);
    expect(await (await fetch(`${address}/livez`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${address}/readyz`);
    const state = (await ready.json()) as { components: { name: string }[] };
    expect([ready.status, state]).toMatchObject([200, { ready: true }]);
    const names = state.components.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const wrong = await fetch(`${address}/predict/image?apikey=lyn_wrong-key-of-some-length`, {
      method: 'POST',
    });
    expect(wrong.status).toBe(401);
    first.child.kill('SIGTERM');
    expect(await first.exit()).toBe(0);
    expect(first.out()).toContain('"msg":"stopped"');
    expect(first.out()).not.toMatch(/lyn_\w/);
    for (const line of first.out().trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();

    const second = start();
    await second.ready();
    expect(second.err()).not.toContain(key);
    expect(second.err()).toMatch(/curl .*\$\(cat '.*first-key'\)/);
    second.child.kill('SIGINT');
    expect(await second.exit()).toBe(0);
  });

  test('a request in flight is answered after SIGTERM, and no new one is taken', async () => {
    const service = start();
    const { hostname, port } = new URL(await service.ready());
    const key = readFileSync(join(dir, 'data', 'first-key'), 'utf8').trim();
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await beginRequest(socket, key);
    service.child.kill('SIGTERM');
    await untilRefused(Number(port), hostname);
    socket.write('}');
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 .*"status": -3/s);
    expect(await service.exit()).toBe(0);
  });

  test('a request that exceeds its time is refused, and does not delay the stop', async () => {
    const service = start({ LYNCEUS_DRAIN_TIMEOUT_MS: '300' });
    const { hostname, port } = new URL(await service.ready());
    const key = readFileSync(join(dir, 'data', 'first-key'), 'utf8').trim();
    const socket = connect(Number(port), hostname).on('error', () => {});
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    await beginRequest(socket, key);
    service.child.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
    expect(answer).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 503 .*retry-after: 1\r\n.*"message": "the service is stopping/is,
    );
    socket.destroy();
  });

  test('a second signal ends it at once', async () => {
    const service = start();
    const { hostname, port } = new URL(await service.ready());
    const key = readFileSync(join(dir, 'data', 'first-key'), 'utf8').trim();
    const socket = connect(Number(port), hostname).on('error', () => {});
    await beginRequest(socket, key);
    service.child.kill('SIGTERM');
    await untilRefused(Number(port), hostname);
    service.child.kill('SIGTERM');
    expect(await service.exit()).toBe(143);
    socket.destroy();
  });

  test('after SIGTERM it is not ready and serves for drainDelayMs, then it stops', async () => {
    const service = start({ LYNCEUS_DRAIN_DELAY_MS: '4000' });
    const address = await service.ready();
    const askedAt = performance.now();
    service.child.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503);
    expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({
      components: [{ reason: 'stopping' }],
    });
    const wrong = await fetch(`${address}/predict/image?apikey=lyn_wrong-key-of-some-length`, {
      method: 'POST',
    });
    expect(wrong.status).toBe(401);
    expect(await service.exit()).toBe(0);
    expect(performance.now() - askedAt).toBeGreaterThan(3900);
  });

  test('a second signal cuts drainDelayMs short, and the stop is in order', async () => {
    const service = start({ LYNCEUS_DRAIN_DELAY_MS: '600000' });
    const address = await service.ready();
    service.child.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503);
    service.child.kill('SIGINT');
    expect(await service.exit()).toBe(0);
    expect(service.out()).toContain('"msg":"stopped"');
  });

  test('on a disk with less than its reserve it is ready, and says which disk needs how much', async () => {
    const service = start({ LYNCEUS_DISK_RESERVE_BYTES: String(2 ** 45) });
    const ready = await fetch(`${await service.ready()}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      {
        status: 'degraded',
        components: expect.arrayContaining([
          {
            name: 'disk',
            ready: true,
            status: 'degraded',
            reason: expect.stringContaining(`the disk of ${join(dir, 'data')} has `),
          },
        ]),
      },
    ]);
    service.child.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
  });

  test('without the role http it serves how it is and nothing else', async () => {
    const service = start({ LYNCEUS_ROLES: 'jobs, training', LYNCEUS_FTP_PORT: '1' });
    const address = await new Promise<string>((resolve, reject) => {
      service.child.stderr?.on('data', () => {
        const found = /state is at (\S+)\/readyz/.exec(service.err())?.[1];
        if (found) resolve(found);
      });
      service.exit().then(() => reject(new Error(service.err())));
    });
    const ready = await fetch(`${address}/readyz`);
    const { components } = (await ready.json()) as { components: { name: string }[] };
    expect([ready.status, components.map(({ name }) => name)]).toEqual([
      200,
      expect.arrayContaining(['database', 'jobs', 'http']),
    ]);
    // Port 1 would have been refused.
    expect(components.map(({ name }) => name)).not.toContain('ftp');
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    for (const path of ['/', '/api/account', '/predict/image', '/docs']) {
      const answer = await fetch(address + path, { method: path === '/predict/image' ? 'POST' : 'GET' });
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('jobs, training')]);
    }
    expect(existsSync(join(dir, 'data', 'first-key'))).toBe(false);
    expect(service.out()).toMatch(/"undone":\["http","ftp","streams"\]/);
    service.child.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
  });

  test('a second service on the same folder is refused, and a command works beside the first', async () => {
    const service = start();
    const address = await service.ready();
    const second = start();
    expect(await second.exit()).toBe(1);
    expect(second.err()).toMatch(/^lynceus: Another service runs on the data folder .*\n$/);

    const made = command(['keys', 'create', '--account', 'acme', '--json']);
    expect(await made.exit()).toBe(0);
    const { key } = JSON.parse(made.out()) as { key: string };
    const ask = () => fetch(`${address}/predict?api_key=${key}`, { method: 'PUT', body: '{}' });
    expect((await ask()).status).toBe(400);
    expect(await command(['keys', 'revoke', key.slice(0, 12)]).exit()).toBe(0);
    // A call of the key is never answered again; a request that is also invalid may be answered so for another second.
    await expect.poll(async () => (await ask()).status).toBe(401);
    const restore = command(['restore', 'nothing']);
    expect(await restore.exit()).toBe(1);
  });

  test('a failure to start is printed in one line, without a stack', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.on('listening', resolve));
    const address = server.address();
    const taken = String(typeof address === 'object' ? address?.port : '');
    const file = join(dir, 'file');
    writeFileSync(file, '');
    const cases: readonly (readonly [Run, RegExp])[] = [
      ...(['PORT', 'FTP_PORT', 'METRICS_PORT'] as const).map(
        (setting) =>
          [
            start({ [`LYNCEUS_${setting}`]: taken, LYNCEUS_DATA_DIR: join(dir, setting) }),
            new RegExp(
              `^lynceus: Port ${taken} \\(LYNCEUS_${setting}\\) is in use\\. Stop the other program or choose another port\\.`,
            ),
          ] as const,
      ),
      [
        start({ LYNCEUS_HOST: '203.0.113.7', LYNCEUS_DATA_DIR: join(dir, 'b') }),
        /203\.0\.113\.7 \(LYNCEUS_HOST\) is no address/,
      ],
      [command(['serve'], { LYNCEUS_PORT: 'many' }), /port \(from LYNCEUS_PORT\) is "many"/],
      [
        command(['serve'], { LYNCEUS_DATA_DIR: join(dir, 'c') }),
        /Not installed in .*lynceus -- models install/,
      ],
      [start({ LYNCEUS_DATA_DIR: join(file, 'data') }), /data folder .*data cannot be used/],
    ];
    for (const [failing, message] of cases) {
      expect(await failing.exit()).toBe(1);
      expect(failing.err()).toMatch(message);
      expect(failing.err()).toMatch(/^lynceus: [^\n]*\n$/);
    }
    server.close();
  });

  test('a damaged database is reported with how to restore it, and a backup restores it', async () => {
    const backup = join(dir, 'kept.db');
    expect(await command(['keys', 'create', '--account', 'a']).exit()).toBe(0);
    expect(await command(['backup', backup]).exit()).toBe(0);
    writeFileSync(join(dir, 'data', 'lynceus.db'), 'garbage '.repeat(2000));
    const failing = start();
    expect(await failing.exit()).toBe(1);
    expect(failing.err()).toMatch(/lynceus\.db is damaged.*lynceus -- restore/);
    expect(await command(['restore', backup]).exit()).toBe(0);
    const service = start();
    await service.ready();
    expect(existsSync(join(dir, 'data', 'first-key'))).toBe(false);
  });
});

/** Sends half a request, and resolves once the service has begun it, which it says by itself when it is asked to. */
async function beginRequest(socket: Socket, key: string): Promise<void> {
  const begun = once(socket, 'data');
  socket.write(
    `POST /predict?api_key=${key} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{`,
  );
  expect(String(await begun)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
}

async function untilRefused(port: number, host: string): Promise<void> {
  const ask = () => fetch(`http://${host}:${port}/livez`).then(({ status }) => status);
  await expect.poll(() => ask().catch(() => 'refused')).toBe('refused');
}
