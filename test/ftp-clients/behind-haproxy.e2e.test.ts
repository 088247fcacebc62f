import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { freePorts } from '#server/drops/ftp/fixtures/attacked.js';
import { password, startTestFtp, type TestFtp, user } from '#server/drops/ftp/fixtures/test-ftp.js';
import { until } from '#server/drops/servers/fixtures/until.js';
import { readDeployFile } from '../deploy/deploy-files.js';
import { haveProgram } from '../support/have-program.js';

const page = new URL('../../../docs/ftp.md', import.meta.url);
const haproxy = '/usr/sbin/haproxy';
const balancer = '127.0.0.8';
const run = promisify(execFile);
const havePrograms =
  haveProgram(haproxy, ['-v'], 'haproxy') &&
  haveProgram('curl', ['--version'], 'curl') &&
  haveProgram('lftp', ['--version'], 'lftp');

/** Two FTP servers behind HAProxy, which runs deploy/haproxy.cfg but for addresses and ports. */
describe.skipIf(!havePrograms)('the FTP server behind HAProxy with deploy/haproxy.cfg', () => {
  let dir: string;
  let health: Server;
  let child: ChildProcess;
  let port: number;
  let replicas: readonly TestFtp[];
  const image = Buffer.alloc(300_000, 'image ');
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-haproxy-'));
    await writeFile(join(dir, 'image.jpg'), image);
    health = createServer((_request, response) => response.end('{"ready":true}'));
    health.listen(0, '127.0.0.1');
    await once(health, 'listening');
    const address = health.address();
    const healthPort = typeof address === 'object' ? address?.port : 0;
    const { first, last } = await freePorts(20);
    const ranges = [
      { first, last: first + 9 },
      { first: first + 10, last },
    ] as const;
    // HAProxy connects from the address that it connects to.
    const start = (passivePorts: { first: number; last: number }) =>
      startTestFtp({ host: '127.0.0.1', passivePorts, proxies: ['127.0.0.1'], requiresTls: true });
    replicas = [await start(ranges[0]), await start(ranges[1])];
    port = await freePort();
    const [one, two] = replicas;
    const config = [
      ['bind :80\n', `bind ${balancer}:${await freePort()}\n`],
      ['10.0.0.11:8080', `127.0.0.1:${healthPort}`],
      ['10.0.0.12:8080', `127.0.0.1:${healthPort}`],
      ['bind :21\n', `bind ${balancer}:${port}\n`],
      ['bind :50000-50099', `bind ${balancer}:${ranges[0].first}-${ranges[0].last}`],
      ['bind :50100-50199', `bind ${balancer}:${ranges[1].first}-${ranges[1].last}`],
      ['10.0.0.11:2121', `127.0.0.1:${one?.port}`],
      ['10.0.0.12:2121', `127.0.0.1:${two?.port}`],
      ['10.0.0.11', '127.0.0.1'],
      ['10.0.0.12', '127.0.0.1'],
      ['port 8080', `port ${healthPort}`],
    ].reduce((text, [from = '', to = '']) => {
      if (!text.includes(from)) throw new Error(`deploy/haproxy.cfg has no ${from}`);
      return text.replaceAll(from, to);
    }, readDeployFile('haproxy.cfg'));
    await writeFile(join(dir, 'haproxy.cfg'), config);
    child = spawn(haproxy, ['-db', '-f', join(dir, 'haproxy.cfg')], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`HAProxy did not start:\n${said}\n${config}`);
      await sleep(50);
    }
  });
  afterAll(async () => {
    if (child && child.exitCode === null && child.kill()) await once(child, 'exit');
    for (const replica of replicas ?? []) await replica.stop();
    health?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const addresses = () =>
    new Set(
      replicas.flatMap(({ events }) => events.flatMap((e) => (e.kind === 'logged-in' ? [e.address] : []))),
    );
  const arrived = (path: string) =>
    replicas.flatMap(({ folders }) => folders.arrived.filter((file) => file.path === path));
  const curl = (from: string, words: readonly string[]) =>
    run('curl', ['-sS', '--ssl-reqd', '--insecure', '--interface', from, ...words], {
      encoding: 'buffer',
      maxBuffer: 1e7,
    });
  const url = (path: string) => `ftp://${user}:${password}@${balancer}:${port}/${path}`;

  test('the docs show the part of the file that is about FTP', async () => {
    const shown = /^```haproxy\n([\s\S]*?)^```/m.exec(await readFile(page, 'utf8'))?.[1] ?? '';
    expect(shown).toMatch(/^listen ftp$/m);
    expect(readDeployFile('haproxy.cfg').endsWith(shown)).toBe(true);
  });

  test.each(['--ftp-pasv', '--disable-epsv'])(
    'curl uploads and downloads by TLS with %s, and is known by its own address',
    async (mode) => {
      for (const { folders } of replicas) folders.put('/done/kept.jpg', image);
      for (let count = 0; count < 4; count++) {
        const name = `${mode}-${count}.jpg`;
        await curl('127.0.0.2', [mode, '-T', join(dir, 'image.jpg'), url(name)]);
        await until(() => arrived(`/incoming/${name}`).length === 1);
        expect(arrived(`/incoming/${name}`)[0]?.content.equals(image)).toBe(true);
        const { stdout } = await curl('127.0.0.2', [mode, url('/done/kept.jpg')]);
        expect(stdout.equals(image)).toBe(true);
      }
      expect([...addresses()]).toEqual(['127.0.0.2']);
    },
  );

  test('lftp uploads, lists and downloads by TLS, and is known by its own address', async () => {
    for (const { folders } of replicas) folders.put('/done/kept.jpg', image);
    const set =
      'set ftp:ssl-force yes; set ftp:ssl-protect-data yes; set ssl:verify-certificate no; set net:timeout 20; set net:max-retries 2; set cmd:fail-exit yes; set net:socket-bind-ipv4 127.0.0.3';
    const work = `put ${join(dir, 'image.jpg')} -o sent.jpg; ls; get /done/kept.jpg -o ${join(dir, 'got.jpg')}`;
    const { stdout } = await run('lftp', [
      '--norc',
      '-c',
      `${set}; open -u ${user},${password} -p ${port} ftp://${balancer}; ${work}`,
    ]);
    expect(stdout).toContain(' sent.jpg');
    expect(arrived('/incoming/sent.jpg')[0]?.content.equals(image)).toBe(true);
    expect((await readFile(join(dir, 'got.jpg'))).equals(image)).toBe(true);
    expect(addresses()).toContain('127.0.0.3');
  });

  test('both replicas get connections, and none saw an address of the balancer', () => {
    for (const { events } of replicas) expect(events.map(({ kind }) => kind)).toContain('logged-in');
    expect(addresses()).not.toContain('127.0.0.1');
    expect(replicas.flatMap(({ events }) => events.map(({ kind }) => kind))).not.toContain(
      'bad-proxy-header',
    );
  });
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, balancer);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
