import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Client as FtpClient } from 'basic-ftp';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { askApi } from '#bench/drop-crash/drop-under-test.js';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { type Service, startService } from '#bench/service.js';
import { findFreePort } from '#server/delivery/fixtures/started-program.js';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import { haveDefaultModels } from '../support/default-models.js';

const programs = findPostgres();
const canRun =
  (programs !== null || process.env['CI'] === 'true') && haveStore('ceph') && (await haveDefaultModels());
const firstKey = 'the-first-key-of-shared-drops';
/** So large that it is several objects. No image: it is delivered as it came. */
const content = () => randomBytes(20_000_000);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Replica {
  readonly service: Service;
  readonly ftpPort: number;
}

describe.skipIf(!canRun)(
  'files of drops with two replicas on PostgreSQL and a bucket',
  { timeout: 400_000 },
  () => {
    let cluster: Cluster;
    let store: ObjectServer;
    let dir: string;
    let target: string;
    let databaseUrl: string;
    let receiver: Server;
    /** Bodies that an HTTP destination got, files and more; the first delivery hangs. */
    const received: Buffer[] = [];
    let deliveries = 0;
    const replicas: Replica[] = [];

    const start = async (name: string): Promise<Replica> => {
      const ftpPort = await findFreePort();
      const service = await startService({
        LYNCEUS_DATABASE_URL: databaseUrl,
        LYNCEUS_DATA_DIR: join(dir, name),
        LYNCEUS_JOIN_INSTALLATION: 'true',
        LYNCEUS_SECRET_KEY: createHash('sha256').update('drops').digest('base64url'),
        LYNCEUS_FIRST_KEY: firstKey,
        LYNCEUS_INFERENCE_PROCESSES: '1',
        LYNCEUS_RECOGNITION_PARTS: 'faces',
        LYNCEUS_FTP_PORT: String(ftpPort),
        LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
        LYNCEUS_DROP_FOLDERS: target,
        LYNCEUS_DROP_SETTLE_MS: '0',
        LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
        LYNCEUS_BLOBS: `s3://${store.bucket}/drops-of/lynceus`,
        LYNCEUS_BLOBS_ENDPOINT: store.endpoint,
        AWS_ACCESS_KEY_ID: store.accessKeyId,
        AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
      });
      const replica = { service, ftpPort };
      replicas.push(replica);
      return replica;
    };
    beforeAll(async () => {
      if (programs === null) throw new Error('PostgreSQL is not installed.');
      dir = await mkdtemp(join(tmpdir(), 'lynceus-shared-drops-'));
      target = join(dir, 'target');
      await mkdir(target);
      [cluster, store] = await Promise.all([startCluster(programs), startRadosgw()]);
      const admin = new Client(cluster.url('postgres'));
      await admin.connect();
      const name = `test_${randomBytes(6).toString('hex')}`;
      await admin.query(`CREATE DATABASE ${name}`);
      await admin.end();
      databaseUrl = cluster.url(name);
      receiver = createServer(async (request, response) => {
        deliveries += 1;
        const first = deliveries === 1;
        const pieces: Buffer[] = [];
        for await (const piece of request) pieces.push(Buffer.from(piece));
        if (first) return;
        received.push(Buffer.concat(pieces));
        response.writeHead(201).end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
    }, 300_000);
    afterEach(async () => {
      await Promise.all(replicas.splice(0).map(({ service }) => service.stop()));
      deliveries = received.length = 0;
    });
    afterAll(async () => {
      receiver?.closeAllConnections();
      receiver?.close();
      await Promise.all([cluster?.remove(), store?.stop()]);
      await rm(dir, { recursive: true, force: true });
    });

    const newDrop = async ({ service }: Replica, destination: unknown) => {
      const settings = { other_files: 'deliver' };
      const made = await askApi(service, firstKey, 'POST', '/api/drops', {
        name: 'a drop',
        settings,
        destination,
      });
      const { user_name: user } = made['ftp'] as { readonly user_name: string };
      return { id: Number(made['id']), user, password: String(made['key']) };
    };
    type Drop = Awaited<ReturnType<typeof newDrop>>;
    const logIn = async ({ ftpPort }: Replica, { user, password }: Drop): Promise<FtpClient> => {
      const client = new FtpClient(20_000);
      await client.access({ host: '127.0.0.1', port: ftpPort, user, password });
      return client;
    };
    /** Sends so many bytes and no end; answers what breaks the connection. */
    const sendPart = async (replica: Replica, drop: Drop, name: string, bytes: Buffer) => {
      const client = await logIn(replica, drop);
      let breakOff: () => void = () => undefined;
      const broken = new Promise<void>((resolve) => {
        breakOff = resolve;
      });
      const source = Readable.from(
        (async function* () {
          for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
          await broken;
          client.close();
        })(),
      );
      const ended = client.uploadFrom(source, name).catch(() => undefined);
      return async () => {
        breakOff();
        await ended;
      };
    };
    /** Bytes that a replica has of a file; 0 for none. */
    const sizeOn = async (replica: Replica, drop: Drop, name: string): Promise<number> => {
      const client = await logIn(replica, drop);
      const size = await client.size(name).catch(() => 0);
      client.close();
      return size;
    };
    /** Resumes an upload; false while another transfer of it is taken for alive. */
    const resume = async (replica: Replica, drop: Drop, name: string, whole: Buffer): Promise<boolean> => {
      const size = await sizeOn(replica, drop, name);
      if (size === 0) return false;
      const client = await logIn(replica, drop);
      try {
        // By its offset: what the other replica still writes down as cut would come between SIZE and APPE.
        await client.send(`REST ${size}`);
        await client.uploadFrom(Readable.from([whole.subarray(size)]), name);
        return true;
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('450')) return false;
        throw error;
      } finally {
        client.close();
      }
    };
    const delivered = async (name: string): Promise<string | null> => {
      const found = (await readdir(target, { recursive: true })).find((each) => each.endsWith(name));
      return found === undefined ? null : hashOf(await readFile(join(target, found)));
    };
    const filesOf = async ({ service }: Replica, { id }: Drop) =>
      (await askApi(service, firstKey, 'GET', `/api/drops/${id}/files`))['data'] as readonly {
        readonly id: string;
        readonly name: string;
        readonly state: string;
      }[];

    test('what is cut on one is resumed on the other; what a killed one received, or was delivering, goes on there too', async () => {
      const folder = randomBytes(4).toString('hex');
      const one = await start(`one-${folder}`);
      const { port } = receiver.address() as AddressInfo;
      const byHttp = await newDrop(one, {
        kind: 'http',
        address: `http://127.0.0.1:${port}/in`,
        path: '{name}',
      });
      const [sent, cut, killed] = [content(), content(), content()];
      const sender = await logIn(one, byHttp);
      await sender.uploadFrom(Readable.from([sent]), 'sent.bin');
      sender.close();
      // Its delivery hangs, on the only replica that there is.
      await expect.poll(() => deliveries, { timeout: 60_000 }).toBe(1);
      const two = await start(`two-${folder}`);

      const byFolder = await newDrop(two, { kind: 'folder', folder: target });
      // A second attempt of this test has other content.
      const [cutName, killedName] = [`cut-${folder}.bin`, `killed-${folder}.bin`];
      const half = await sendPart(one, byFolder, cutName, cut.subarray(0, 13_000_000));
      await expect.poll(() => sizeOn(two, byFolder, cutName), { timeout: 60_000 }).toBeGreaterThan(0);
      await half();
      await expect.poll(() => resume(two, byFolder, cutName, cut), { timeout: 60_000 }).toBe(true);
      await expect.poll(() => delivered(cutName), { timeout: 60_000 }).toBe(hashOf(cut));

      const breakOff = await sendPart(one, byFolder, killedName, killed.subarray(0, 13_000_000));
      await expect.poll(() => sizeOn(two, byFolder, killedName), { timeout: 60_000 }).toBeGreaterThan(0);
      process.kill(one.service.pid, 'SIGKILL');
      await breakOff();
      // Once the lease of the dead one is over.
      await expect.poll(() => resume(two, byFolder, killedName, killed), { timeout: 120_000 }).toBe(true);
      await expect.poll(() => delivered(killedName), { timeout: 120_000 }).toBe(hashOf(killed));
      // At least once: a replica that got no time to renew its lease may have been taken for dead, and send it too.
      await expect.poll(() => received.length, { timeout: 120_000 }).toBeGreaterThan(0);
      expect(received.every((body) => body.includes(sent))).toBe(true);

      // Also where nobody of those who received it is left.
      const three = await start(`three-${folder}`);
      for (const drop of [byHttp, byFolder]) {
        await expect
          .poll(async () => (await filesOf(three, drop)).every(({ state }) => state === 'done'), {
            timeout: 60_000,
          })
          .toBe(true);
      }
      const [file] = await filesOf(three, byHttp);
      const answer = await fetch(`${three.service.url}/api/drops/${byHttp.id}/files/${file?.id}/content`, {
        headers: { 'x-api-key': firstKey },
      });
      expect(hashOf(new Uint8Array(await answer.arrayBuffer()))).toBe(hashOf(sent));
      expect(await readdir(join(dir, `one-${folder}`, 'drops')).catch(() => [])).toEqual([]);
    });
  },
);
