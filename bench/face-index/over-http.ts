import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { createGalleryRows } from '#server/faces/index/fixtures/gallery-rows.js';
import { type EventLoopDelay, readEventLoopDelay } from '../event-loop.js';
import { formOf } from '../load/form.js';
import { readObject } from '../load/outcome.js';
import { createVisitor } from '../load/visitor.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import { startService } from '../service.js';
import { clusteredFace } from './clustered-faces.js';
import { makePerception } from './make-perception.js';
import { readSearches } from './read-searches.js';
import { type Times, timeEach } from './timing.js';

/** Searches by v1, from the request to the answer. */
export interface HttpFigures {
  readonly search: Times;
  readonly ofPerson: Times;
  /** Searches of the index, by the metrics. */
  readonly indexMeanMs: number;
  /** Of the serving thread. */
  readonly loop: EventLoopDelay;
}

export async function measureOverHttp(faces: number, searches: number): Promise<HttpFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lynceus-bench-faces-'));
  const service = await startService({ LYNCEUS_DATA_DIR: dataDir });
  const visitor = createVisitor(service.url);
  try {
    const storage = await openStorageBesideService(dataDir);
    const gallery = await makePerception(storage.database);
    const rows = createGalleryRows(storage.database);
    for (let from = 0; from < faces; from += 200) {
      const part = Array.from({ length: Math.min(200, faces - from) }, (_, at) => clusteredFace(from + at));
      await rows.commit(gallery, part);
    }
    await storage.close();
    const form = formOf(await drawFaces(320, 240, [{ x: 160, y: 120, unit: 5 }]));
    const ask = async (person: string) => {
      const path = `/predict/face?model_id=${gallery.perceptionId}${person}&apikey=${service.key}`;
      const { outcome, text } = await visitor.ask({ method: 'POST', path, ...form });
      const found = readObject(text)['similar_faces'];
      if (outcome !== '200' || !Array.isArray(found) || found.length === 0)
        throw new Error(`${outcome} ${text}`);
    };
    await ask('');
    await readEventLoopDelay(service);
    const before = await readSearches(service.metricsUrl);
    const search = await timeEach(searches, () => ask(''));
    const ofPerson = await timeEach(searches, () => ask('&person_id_filter=1001'));
    // Before any other reading of the metrics, which would reset it.
    const loop = await readEventLoopDelay(service);
    const after = await readSearches(service.metricsUrl);
    const indexMeanMs = (1000 * (after.sum - before.sum)) / (after.count - before.count);
    return { search, ofPerson, indexMeanMs, loop };
  } finally {
    await visitor.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
