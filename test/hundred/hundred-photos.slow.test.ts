import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'basic-ftp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { haveServer } from '#server/delivery/fixtures/have-server.js';
import { sshdPath } from '#server/delivery/fixtures/sshd.js';
import { vsftpdPath } from '#server/delivery/fixtures/vsftpd.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import {
  haveExiftool,
  haveExiv2,
  havePerl,
  readAllByExiftool,
  readByExiv2,
} from '../keywords/keyword-trial.js';
import { otherTags } from '../keywords/other-tags.js';
import { hashFrames, hashPixels } from '../keywords/pixels.js';
import { mosaic } from '../keywords/raw-file.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { type PhotoKind, photoKinds, writePhotos } from './photos.js';
import { type RemoteServer, startRemoteServers } from './remote-servers.js';

const isHere = [
  await haveDefaultModels(),
  ...[havePerl, haveExiftool, haveExiv2],
  haveServer(vsftpdPath, 'vsftpd'),
  haveServer(sshdPath, 'openssh-server'),
  haveStore('ceph'),
  haveProgram('heif-enc', ['--list-encoders'], 'libheif-examples'),
].every((one) => one);

interface ApiAnswer {
  readonly id: number;
  readonly key: string;
  readonly ftp: { readonly user_name: string };
  readonly files: { readonly waiting: number; readonly failed: number };
  readonly data: readonly { readonly name: string; readonly state: string; readonly error: string | null }[];
}

/** One drop with its photographs and the server that it sends them to. */
interface Route {
  readonly remoteServer: RemoteServer;
  readonly rawFiles: 'sidecar' | 'embedded';
  readonly from: string;
  readonly kinds: readonly PhotoKind[];
  readonly drop: ApiAnswer;
}

/** Each kind goes one of the ways, or with ALL_WAYS=1 every one of them: a hundred photographs. */
const allWays = process.env['ALL_WAYS'] === '1';

describe.skipIf(!isHere)('photographs of every format', { timeout: 300_000 }, () => {
  let dir: string;
  let service: Service;
  let remoteServers: readonly RemoteServer[] = [];
  let routes: readonly Route[];
  let ftpPort: number;

  const api = async (method: string, path: string, body?: object): Promise<ApiAnswer> => {
    const headers = { 'x-api-key': service.key, ...(body ? { 'content-type': 'application/json' } : {}) };
    const content = body ? { body: JSON.stringify(body) } : {};
    const answer = await fetch(service.url + path, { method, headers, ...content });
    const json = (await answer.json()) as ApiAnswer;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  };

  const makeRoute = async (remoteServer: RemoteServer, index: number): Promise<Route> => {
    const from = join(dir, `from-${allWays ? index : 0}`);
    const kinds = photoKinds.filter((_, at) => allWays || at % remoteServers.length === index);
    const rawFiles = index % 2 === 0 ? 'sidecar' : 'embedded';
    const drop = await api('POST', '/api/drops', {
      name: remoteServer.name,
      destination: remoteServer.destination,
      settings: { parts: ['objects', 'classes'], keywords: { raw_files: rawFiles } },
    });
    return { remoteServer, rawFiles, from, kinds, drop };
  };

  const upload = async ({ from, kinds, drop }: Route) => {
    const client = new Client(20_000);
    const user = { user: drop.ftp.user_name, password: drop.key };
    const secureOptions = { rejectUnauthorized: false };
    await client.access({ host: '127.0.0.1', port: ftpPort, ...user, secure: true, secureOptions });
    for (const { name } of kinds) await client.uploadFrom(join(from, name), name);
    client.close();
  };

  /** What became of its files, once none of them waits. */
  const settled = async ({ drop, remoteServer }: Route) => {
    for (;;) {
      const { files } = await api('GET', `/api/drops/${drop.id}`);
      if (files.waiting === 0) break;
      await sleep(100);
    }
    await remoteServer.collect();
    return (await api('GET', `/api/drops/${drop.id}/files?limit=100`)).data;
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-hundred-'));
    ftpPort = await freePort();
    [remoteServers, service] = await Promise.all([
      startRemoteServers(dir),
      startService({
        LYNCEUS_FTP_PORT: String(ftpPort),
        LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
        LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
      }),
    ]);
    for (const index of allWays ? remoteServers.keys() : [0]) {
      const from = join(dir, `from-${index}`);
      await mkdir(from);
      await writePhotos(from, 320 + 16 * index);
    }
    routes = await Promise.all(remoteServers.map(makeRoute));
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    for (const remoteServer of remoteServers) await remoteServer.stop();
    await rm(dir, { recursive: true, force: true });
  });

  test('go in by FTP, and all of them come out at vsftpd, OpenSSH, an S3 server and an HTTP receiver', async () => {
    await Promise.all(routes.map(upload));
    for (const route of routes) {
      const files = await settled(route);
      const expected = route.kinds.map(({ name }) => [name, 'done', null]);
      expect(files.map(({ name, state, error }) => [name, state, error]).sort()).toEqual(expected.sort());
      expect((await readdir(route.remoteServer.folder)).sort()).toEqual(namesAt(route).sort());
    }
    const sent = routes.reduce((total, { kinds }) => total + kinds.length, 0);
    expect(sent).toBe(allWays ? 100 : photoKinds.length);
  });

  test('have what was seen in them among their keywords, as exiv2 and Debian’s exiftool read them', () => {
    const files = [...arrived(routes)].map((file) => {
      const metadataTarget = metadataTargetOf(file.route, file.kind);
      return { ...file, metadataTarget, path: metadataTarget === 'sidecar' ? sidecarOf(file.at) : file.at };
    });
    const tags = readAllByExiftool(
      files.map(({ path }) => path),
      ...['-XMP-dc:Subject', '-IPTC:Keywords'],
    );
    for (const [index, { kind, metadataTarget, path }] of files.entries()) {
      const { 'XMP-dc:Subject': subject, 'IPTC:Keywords': iptc } = tags[index] ?? {};
      const keywords = [subject].flat();
      expect(keywords, path).toContain('stop sign');
      if (kind.isTagged) expect(keywords[0], path).toBe('Harbour');
      expect([iptc].flat(), path).toEqual(metadataTarget === 'iptc+xmp' ? keywords : [undefined]);
      // It knows no GIF's XMP, and Debian builds it without HEIC and AVIF.
      if (/\.(gif|avif|heic)$/.test(path)) continue;
      expect(readByExiv2(path, 'Xmp.dc.subject').join(), path).toBe(keywords.join(', '));
      const inIptc =
        metadataTarget === 'iptc+xmp' ? readByExiv2(path, 'Iptc.Application2.Keywords') : keywords;
      expect(inIptc, path).toEqual(keywords);
    }
  });

  test('keep every other piece of their metadata', () => {
    const files = [...arrived(routes)];
    const read = (paths: readonly string[]) => readAllByExiftool(paths, '-b', '-u').map(otherTags);
    const before = read(files.map(({ came }) => came));
    const after = read(files.map(({ at }) => at));
    for (const [index, { kind, at }] of files.entries()) {
      expect(after[index], at).toEqual(before[index]);
      if (kind.isTagged) expect(after[index], at).toMatchObject({ 'XMP-dc:Title': 'At the crossing' });
    }
  });

  test('keep every pixel of every frame', async () => {
    for (const { route, kind, came, at } of arrived(routes)) {
      if (metadataTargetOf(route, kind) === 'sidecar') {
        expect((await readFile(at)).equals(await readFile(came)), `${at} as it came`).toBe(true);
      } else if (kind.metadataTarget === 'raw') {
        // Its preview is among the metadata.
        expect((await readFile(at)).includes(mosaic), at).toBe(true);
      } else {
        expect(await hashPixels(at), at).toBe(await hashPixels(came));
        if (!at.endsWith('.heic')) expect(await hashFrames(at), at).toBe(await hashFrames(came));
      }
    }
  });
});

function* arrived(routes: readonly Route[]) {
  for (const route of routes) {
    for (const kind of route.kinds) {
      const { name } = kind;
      yield { route, kind, came: join(route.from, name), at: join(route.remoteServer.folder, name) };
    }
  }
}

function metadataTargetOf(
  { rawFiles }: Route,
  { metadataTarget }: PhotoKind,
): 'iptc+xmp' | 'xmp' | 'sidecar' {
  if (metadataTarget !== 'raw') return metadataTarget;
  return rawFiles === 'embedded' ? 'iptc+xmp' : 'sidecar';
}

function sidecarOf(path: string): string {
  return path.replace(/\.[a-z]+$/, '.xmp');
}

/** Sidecars among them: `plain.xmp`, and so on. */
function namesAt(route: Route): string[] {
  return route.kinds.flatMap((kind) =>
    metadataTargetOf(route, kind) === 'sidecar' ? [kind.name, sidecarOf(kind.name)] : [kind.name],
  );
}
