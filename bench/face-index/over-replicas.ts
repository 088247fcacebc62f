import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { createGalleryRows } from '#server/faces/index/fixtures/gallery-rows.js';
import { formOf } from '../load/form.js';
import { readObject } from '../load/outcome.js';
import { createVisitor } from '../load/visitor.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import { findPostgres, startCluster } from '../postgres/cluster.js';
import { usageOf } from '../processes.js';
import { startBalancer } from '../scale/balancer.js';
import { type Service, startService } from '../service.js';
import { clusteredFace } from './clustered-faces.js';
import { makePerception } from './make-perception.js';
import { readSearches } from './read-searches.js';
import { type Times, timeEach } from './timing.js';

/** Searches by v1 through nginx, in turn on two replicas that hold the faces in memory. */
export interface ReplicaFigures {
  /** Storing all faces in PostgreSQL. */
  readonly fillMs: number;
  /** The first search on each replica, one after the other: it reads all faces. */
  readonly loadMs: readonly number[];
  readonly search: Times;
  readonly ofPerson: Times;
  /** Searches of the index, by the metrics of both. */
  readonly indexMeanMs: number;
  /** From the commit of a new face until both replicas have it, found by a search through each. */
  readonly changeMs: number;
  /** Of each replica, with its inference process. */
  readonly residentMb: readonly number[];
}

const firstKey = 'the-first-key-of-the-face-index';
const batchSize = 200;

export async function measureOverReplicas(faces: number, searches: number): Promise<ReplicaFigures> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-faces-'));
  const cluster = await startCluster(programs, { isDurable: true });
  const services: Service[] = [];
  const cleanUp: (() => Promise<void>)[] = [];
  try {
    const databaseUrl = cluster.url('postgres');
    for (const name of ['one', 'two']) {
      services.push(
        await startService({
          LYNCEUS_DATA_DIR: join(dir, name),
          LYNCEUS_DATABASE_URL: databaseUrl,
          LYNCEUS_JOIN_INSTALLATION: 'true',
          LYNCEUS_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
          LYNCEUS_FIRST_KEY: firstKey,
          LYNCEUS_INFERENCE_PROCESSES: '1',
          LYNCEUS_FACE_INDEX: 'memory',
          LYNCEUS_FACE_INDEX_MAX_MB: '4096',
        }),
      );
    }
    const balancer = await startBalancer(
      join(dir, 'nginx'),
      services.map(({ url }) => url),
    );
    cleanUp.push(balancer.stop);
    const storage = await openStorageBesideService(join(dir, 'one'), databaseUrl);
    cleanUp.push(() => storage.close());
    const gallery = await makePerception(storage.database);
    const rows = createGalleryRows(storage.database);
    const fillStart = performance.now();
    for (let from = 0; from < faces; from += batchSize) {
      const part = Array.from({ length: Math.min(batchSize, faces - from) }, (_, at) =>
        clusteredFace(from + at),
      );
      await rows.commit(gallery, part);
    }
    const fillMs = performance.now() - fillStart;
    const form = formOf(await drawFaces(320, 240, [{ x: 160, y: 120, unit: 5 }]));
    const search = async (url: string, person = '') => {
      const visitor = createVisitor(url);
      const path = `/predict/face?model_id=${gallery.perceptionId}${person}&apikey=${firstKey}`;
      const { outcome, text } = await visitor.ask({ method: 'POST', path, ...form });
      await visitor.close();
      const found = readObject(text)['similar_faces'];
      if (outcome !== '200' || !Array.isArray(found) || found.length === 0)
        throw new Error(`${outcome} ${text}`);
    };
    const loadMs: number[] = [];
    for (const { url } of services) {
      const readStart = performance.now();
      await search(url);
      loadMs.push(performance.now() - readStart);
    }
    const readBoth = async () => {
      const read = await Promise.all(services.map(({ metricsUrl }) => readSearches(metricsUrl)));
      return read.reduce((sum, each) => ({ sum: sum.sum + each.sum, count: sum.count + each.count }));
    };
    const before = await readBoth();
    const all = await timeEach(searches, () => search(balancer.url));
    const after = await readBoth();
    const ofPerson = await timeEach(searches, () => search(balancer.url, '&person_id_filter=1001'));
    const changeStart = performance.now();
    await rows.commit(gallery, [clusteredFace(faces)]);
    await Promise.all(
      services.map(({ url }) => search(url, `&person_id_filter=${clusteredFace(faces).personId}`)),
    );
    const changeMs = performance.now() - changeStart;
    const usages = await Promise.all(services.map(({ pid }) => usageOf(pid)));
    return {
      fillMs,
      loadMs,
      search: all,
      ofPerson,
      indexMeanMs: (1000 * (after.sum - before.sum)) / (after.count - before.count),
      changeMs,
      residentMb: usages.map(({ residentBytes }) => residentBytes / 2 ** 20),
    };
  } finally {
    for (const work of cleanUp.reverse()) await work();
    for (const service of services) await service.stop();
    await cluster.remove();
    await rm(dir, { recursive: true, force: true });
  }
}
