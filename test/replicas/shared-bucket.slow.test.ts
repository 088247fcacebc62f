import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createLynceusClient, type Job, type LynceusClient, type Person } from '@lynceus/client';
import { Client } from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { runCommand, type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import { colourOnnx, tinyOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { haveDefaultModels } from '../support/default-models.js';
import { sample } from '../support/sample.js';

const programs = findPostgres();
const canRun =
  (programs !== null || process.env['CI'] === 'true') && haveStore('ceph') && (await haveDefaultModels());

describe.skipIf(!canRun)('two replicas on PostgreSQL and a bucket', { timeout: 300_000 }, () => {
  let cluster: Cluster;
  let store: ObjectServer;
  let dir: string;
  let databaseUrl: string;
  const services: Service[] = [];
  let first: LynceusClient;
  let second: LynceusClient;

  const folders = (name: string) => ({
    LYNCEUS_DATABASE_URL: databaseUrl,
    LYNCEUS_DATA_DIR: join(dir, name),
    LYNCEUS_JOIN_INSTALLATION: 'true',
    LYNCEUS_SECRET_KEY: createHash('sha256').update('replicas').digest('base64url'),
    LYNCEUS_FIRST_KEY: 'the-first-key-of-two-replicas',
    LYNCEUS_INFERENCE_PROCESSES: '1',
    LYNCEUS_RECOGNITION_PARTS: 'faces',
    LYNCEUS_KEEP_IMAGES: 'true',
  });
  const settings = (name: string) => ({
    ...folders(name),
    LYNCEUS_BLOBS: `s3://${store.bucket}/of/lynceus`,
    LYNCEUS_BLOBS_ENDPOINT: store.endpoint,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
  });
  const start = async (name: string) => {
    const service = await startService(settings(name));
    services.push(service);
    return createLynceusClient({ baseUrl: service.url, apiKey: settings(name).LYNCEUS_FIRST_KEY });
  };
  beforeAll(async () => {
    if (programs === null) throw new Error('PostgreSQL is not installed.');
    dir = await mkdtemp(join(tmpdir(), 'lynceus-replicas-'));
    [cluster, store] = await Promise.all([startCluster(programs), startRadosgw()]);
    const admin = new Client(cluster.url('postgres'));
    await admin.connect();
    const name = `test_${randomBytes(6).toString('hex')}`;
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    databaseUrl = cluster.url(name);
    [first, second] = await Promise.all([start('one'), start('two')]);
  }, 300_000);
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([cluster?.remove(), store?.stop()]);
    await rm(dir, { recursive: true, force: true });
  });

  const bytesOf = async (blob: Promise<Blob>) => Buffer.from(await (await blob).arrayBuffer());
  const ended = async (client: LynceusClient, { id }: Job) => {
    await expect.poll(async () => (await client.jobs.read(id)).ended_at, { timeout: 120_000 }).not.toBeNull();
    return client.jobs.read(id);
  };
  const enrol = async (face: Buffer, person: Person) => {
    const { image } = await first.faceImages.add(face, { personId: person.id });
    if (image === null) throw new Error('the image was not added');
    return image.id;
  };
  const drawFace = (tiltDeg: number) => drawFaces(240, 240, [{ x: 120, y: 120, unit: 5, tiltDeg }]);

  test('faces enrolled through one are found, shown and deleted through the other', async () => {
    const { model_id: modelId } = await first.perceptions.create({ name: 'staff' });
    const person = await first.people.create(modelId, { name: 'Ada' });
    const face = await drawFace(8);
    const imageId = await enrol(face, person);
    expect((await bytesOf(second.faceImages.readContent(imageId))).equals(face)).toBe(true);
    for (const client of [second, first, second]) {
      const small = await bytesOf(client.faceImages.readContent(imageId, { width: 64 }));
      expect(small.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    }
    const { similar_faces: found } = await second.faces.search(face, { modelId });
    expect(found[0]).toMatchObject({ person_name: 'Ada' });
    await second.people.remove(person.id);
    await expect(first.faceImages.readContent(imageId)).rejects.toMatchObject({ httpStatus: 404 });
  });

  test('a kept image is read through either', async () => {
    const { fileid } = await first.recognise(sample);
    for (const client of [second, first]) {
      expect((await bytesOf(client.files.readContent(fileid))).equals(sample)).toBe(true);
    }
  });

  test('a dataset is filled through one, exported by the other, and imported again by whichever takes the job', async () => {
    const dataset = await first.datasets.create({ name: 'signs', task: 'classification' });
    await first.datasetImages.add(dataset.id, [{ content: new Blob([sample]), name: 'a.jpg' }], {
      label: 'sign',
    });
    const zip = await second.datasets.export(dataset.id, { format: 'folders' });
    const again = await second.datasets.create({ name: 'again', task: 'classification' });
    const job = await ended(first, await second.datasets.import(again.id, zip));
    expect(job).toMatchObject({ state: 'done', result: { added: 1 } });
    for (const client of [first, second]) {
      for await (const image of client.datasetImages.list(again.id)) {
        expect((await bytesOf(client.datasetImages.readContent(again.id, image.id))).equals(sample)).toBe(
          true,
        );
      }
    }
  });

  const uploadNet = (client: LynceusClient, modelId: number, net: Buffer, labels: readonly string[]) =>
    client.modelVersions.upload(modelId, [{ name: 'net.onnx', content: new Blob([new Uint8Array(net)]) }], {
      options: { labels, input: { mean: [0, 0, 0], std: [255, 255, 255] } },
    });
  const colours = ['red', 'green', 'blue'];
  const red = () =>
    sharp({ create: { width: 64, height: 64, channels: 3, background: '#d01010' } })
      .png()
      .toBuffer();
  const bestOf = async (client: LynceusClient, modelId: number) =>
    (await client.detect(await red(), { modelId, confThresh: 0 })).predictions[0]?.class_title;
  const modelFiles = async (name: string) =>
    (await readdir(join(dir, name, 'model-cache'))).filter((file) => file !== 'unfinished');

  test('a model uploaded to one predicts on the other, is downloaded from it, switched there and deleted', async () => {
    const model = await first.models.create({ name: 'colours', task: 'classification' });
    const modelId = model.model_id;
    const made = await uploadNet(first, modelId, colourOnnx(), colours);
    await uploadNet(second, modelId, tinyOnnx(), ['cat', 'dog']);
    // Each answers with the newest, the one it made or not.
    expect([await bestOf(first, modelId), await bestOf(second, modelId)]).toEqual(['dog', 'dog']);
    await second.models.switchTo(modelId, 1);
    expect([await bestOf(first, modelId), await bestOf(second, modelId)]).toEqual(['red', 'red']);
    expect(await second.modelVersions.read(modelId, 1)).toEqual({ ...made, is_current: true });
    const [one, other] = [
      await buffer(await first.modelVersions.download(modelId, 1)),
      await buffer(await second.modelVersions.download(modelId, 1)),
    ];
    expect([other.equals(one), other.length]).toEqual([true, made.model_bytes]);
    // Of the files of the one made by the other, with other options.
    const changed = await first.modelVersions.change(modelId, 2, { labels: ['lion', 'wolf'] });
    expect([changed.number, await bestOf(second, modelId)]).toEqual([3, 'wolf']);
    expect(await modelFiles('two')).toHaveLength(3);
    await first.models.remove(modelId);
    expect(await modelFiles('one')).toEqual([]);
    await expect(second.modelVersions.read(modelId, 1)).rejects.toMatchObject({ httpStatus: 404 });
    await expect(bestOf(second, modelId)).rejects.toMatchObject({ httpStatus: 400 });
  });

  test('a command beside them reads and writes the same bucket', async () => {
    const listed = await runCommand(['orphans', 'list'], settings('one'));
    expect(listed).toMatch(/DAY +STORE/);
    const answer = await runCommand(['datasets', 'list', '--account', 'default'], settings('one'));
    expect(answer).toContain('signs');
  });

  test('the store is away for a while: what needs it is busy, the rest is answered, and all is as before', async () => {
    const { model_id: modelId } = await first.perceptions.create({ name: 'visitors' });
    const face = await drawFace(-8);
    const person = await first.people.create(modelId, { name: 'Bob' });
    const imageId = await enrol(face, person);
    await store.kill();
    await expect(second.faceImages.readContent(imageId)).rejects.toMatchObject({ httpStatus: 503 });
    expect((await second.people.page(modelId)).data).toHaveLength(1);
    // The image of a call that is kept must be kept before it is answered.
    await expect(first.recognise(sample)).rejects.toMatchObject({ httpStatus: 503 });
    expect((await fetch(`${services[0]?.url}/readyz`)).status).toBe(200);
    await store.start();
    expect((await bytesOf(second.faceImages.readContent(imageId))).equals(face)).toBe(true);
  });

  test('a model that is in the store alone is busy while the store is away, and predicts when its replica is gone', async () => {
    const { model_id: modelId } = await first.models.create({ name: 'lasting', task: 'classification' });
    const made = await uploadNet(first, modelId, colourOnnx(), colours);
    await store.kill();
    // Predictions keep their images, and so fail on both.
    const download = async (client: LynceusClient) => buffer(await client.modelVersions.download(modelId, 1));
    expect(await download(first)).toHaveLength(made.model_bytes);
    await expect(download(second)).rejects.toMatchObject({ httpStatus: 503 });
    await store.start();
    const service = services.find(({ dataDir }) => dataDir === join(dir, 'one'));
    if (!service) throw new Error('the first service is not there');
    process.kill(service.pid, 'SIGKILL');
    await rm(join(dir, 'one'), { recursive: true, force: true });
    expect(await bestOf(second, modelId)).toBe('red');
  });

  test('a service that would look for the images elsewhere does not start', async () => {
    await expect(startService(folders('three'), undefined, 1)).rejects.toThrow(/LYNCEUS_BLOBS/);
    const elsewhere = { ...settings('three'), LYNCEUS_BLOBS: `s3://${store.bucket}/of/others` };
    await expect(startService(elsewhere, undefined, 1)).rejects.toThrow(/not the bucket/);
    const unset = { ...settings('alone'), LYNCEUS_DATABASE_URL: '', LYNCEUS_JOIN_INSTALLATION: '' };
    await expect(startService(unset, undefined, 1)).rejects.toThrow(/another installation/);
  });
});
