import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'basic-ftp';
import { exiftoolPath } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { haveProgram } from './support/have-program.js';

const sample = new URL('../../packages/server/assets/sample.jpg', import.meta.url);
/** A stop sign is in all of them; each is another file. */
const formats = ['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'] as const;

/** What is read of the answers here. */
interface ApiAnswer {
  readonly data: readonly ShownFile[];
  readonly id: number;
  readonly ftp: { readonly user_name: string };
  readonly key: string;
  readonly files: { readonly waiting: number; readonly failed: number };
  readonly labels: { readonly objects: readonly { readonly title: string }[] };
  readonly history: readonly { readonly what: string }[];
}

interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
  readonly delivered_to: string | null;
}

describe.skipIf(!(await haveDefaultModels()))('a drop', { timeout: 300_000 }, () => {
  let dir: string;
  let target: string;
  let service: Service;
  let settings: Record<string, string>;
  let ftpPort: number;
  let sftpPort: number;
  let key: string;
  let drop: Pick<ApiAnswer, 'id' | 'ftp' | 'key'>;

  const api = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as ApiAnswer;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  };
  const connected = async () => {
    const client = new Client(10_000);
    const user = { user: drop.ftp.user_name, password: drop.key };
    const secureOptions = { rejectUnauthorized: false };
    await client.access({ host: '127.0.0.1', port: ftpPort, ...user, secure: true, secureOptions });
    return client;
  };
  const filesOf = async (): Promise<readonly ShownFile[]> =>
    (await api('GET', `/api/drops/${drop.id}/files?limit=100`)).data;
  /** What became of its files, once none of them waits. */
  const settled = async () => {
    for (;;) {
      const { files } = await api('GET', `/api/drops/${drop.id}`);
      if (files.waiting === 0) return files;
      await sleep(100);
    }
  };
  const keywordsOf = async (path: string): Promise<string> => {
    const args = ['-s3', '-IPTC:Keywords', '-XMP-dc:Subject', '-charset', 'iptc=utf8', path];
    return (await promisify(execFile)('perl', [await exiftoolPath(), ...args])).stdout;
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-drop-'));
    target = join(dir, 'target');
    await mkdir(target);
    ftpPort = await freePort();
    sftpPort = await freePort();
    settings = {
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_FTP_PORT: String(ftpPort),
      LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
      LYNCEUS_SFTP_PORT: String(sftpPort),
      LYNCEUS_DROP_FOLDERS: target,
      LYNCEUS_DROP_SETTLE_MS: '200',
    };
    service = await startService(settings);
    key = service.key;
    drop = await api('POST', '/api/drops', {
      name: 'desk',
      destination: { kind: 'folder', folder: target, path: '{label}/{name}' },
    });
  }, 300_000);
  afterAll(async () => {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  });

  test('takes photographs of every format by FTP with TLS, and sends them on with their keywords', async () => {
    const client = await connected();
    for (const format of formats) {
      const image = await sharp(await readFile(sample))
        .toFormat(format, { lossless: format === 'webp' || format === 'avif' })
        .toBuffer();
      await client.uploadFrom(Readable.from(image), `sign.${format}`);
    }
    client.close();
    await settled();
    const files = await filesOf();
    expect(files.map(({ state, error }) => [state, error])).toEqual(formats.map(() => ['done', null]));
    for (const format of formats) {
      expect(await keywordsOf(join(target, 'stop sign', `sign.${format}`))).toMatch(/^stop sign(,|$)/m);
    }
    const pixels = async (path: string | Buffer) =>
      createHash('sha256')
        .update(await sharp(path).raw().toBuffer())
        .digest('hex');
    const sent = join(target, 'stop sign', 'sign.jpeg');
    const jpeg = await sharp(await readFile(sample))
      .jpeg()
      .toBuffer();
    expect(await pixels(sent)).toBe(await pixels(jpeg));
  });

  test('shows what it sent in done, and reports what it found and what happened', async () => {
    const client = await connected();
    const day = new Date().toISOString().slice(0, 10);
    const listed = await client.list(`/done/${day}`);
    client.close();
    expect(listed.map(({ name }) => name).sort()).toEqual(formats.map((format) => `sign.${format}`).sort());
    const [file] = await filesOf();
    const details = await api('GET', `/api/drops/${drop.id}/files/${file?.id}`);
    expect(details.labels.objects[0]?.title).toBe('stop sign');
    expect(details.history.map(({ what }) => what)).toEqual([...['arrived', 'predicted', 'written', 'done']]);
  });

  test('takes a photograph that is too large for HTTP', async () => {
    const large = await sharp(await readFile(sample))
      .resize({ width: 4000 })
      .tiff({ compression: 'none' })
      .toBuffer();
    expect(large.length).toBeGreaterThan(26 * 2 ** 20);
    const refused = await fetch(`${service.url}/predict/image?apikey=${key}`, {
      method: 'POST',
      body: large,
    });
    expect(refused.status).toBe(413);
    const client = await connected();
    await client.uploadFrom(Readable.from(large), 'large.tiff');
    client.close();
    await settled();
    expect((await filesOf()).find(({ name }) => name === 'large.tiff')).toMatchObject({
      ...{ state: 'done', error: null },
    });
    expect(await keywordsOf(join(target, 'stop sign', 'large.tiff'))).toMatch(/^stop sign(,|$)/m);
  });

  test.skipIf(!haveProgram('which', ['scp'], 'openssh-client'))(
    'takes a photograph by SFTP from whoever has the private key to a public one of its settings',
    async () => {
      const run = promisify(execFile);
      const keyPath = join(dir, 'key');
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyPath]);
      const copy = () =>
        run('scp', [
          ...['-F', 'none', '-i', keyPath, '-P', String(sftpPort), '-o', 'BatchMode=yes'],
          ...['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(dir, 'known')}`],
          ...[fileURLToPath(sample), `${drop.ftp.user_name}@127.0.0.1:by-key.jpg`],
        ]);
      await expect(copy()).rejects.toThrow(/Permission denied/);
      const authorized = await readFile(`${keyPath}.pub`, 'utf8');
      await api('PATCH', `/api/drops/${drop.id}`, { settings: { authorized_keys: [authorized] } });
      await copy();
      await settled();
      expect(await keywordsOf(join(target, 'stop sign', 'by-key.jpg'))).toMatch(/^stop sign(,|$)/m);
    },
  );
});
