import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '../load/api-kinds.js';
import { usageOf } from '../processes.js';
import { type MeasuredCommand, measureCommand, type Service, startService } from '../service.js';
import { type At, askFor, correct, enrol, makePerception, withVisitor } from './enrol.js';
import { countReadable, type Holdings, readHoldings, sampleVectors } from './holdings.js';
import { askSearches } from './searches.js';
import type { Subject } from './subjects.js';

export interface RoundTrip {
  readonly subjects: readonly Subject[];
  /** How many images of them are added. */
  readonly images: number;
  readonly searches: number;
  readonly log: (line: string) => void;
}

export interface TripFigures {
  /** Images in which no face was found. */
  readonly withoutFace: number;
  readonly enrolSeconds: number;
  readonly archiveBytes: number;
  readonly exported: MeasuredCommand;
  readonly imported: MeasuredCommand;
  readonly deleteSeconds: number;
  readonly held: Holdings;
  /** Of the deletion, as it was answered. */
  readonly receipt: Readonly<Record<string, unknown>>;
  /** After the deletion. */
  readonly left: Holdings;
  /** Deleted vectors that the files of the database still have, of so many looked for. */
  readonly readable: { readonly before: number; readonly after: number; readonly of: number };
  /** In the other installation. */
  readonly arrived: Holdings;
  readonly searches: number;
  readonly hits: number;
  /** Searches that were answered otherwise, in words. */
  readonly different: readonly string[];
  /** Resident bytes of the service: before enrolling, after it, after the deletion; of the other after its searches. */
  readonly memory: Readonly<Record<'started' | 'enrolled' | 'deleted' | 'arrived', readonly ProcessBytes[]>>;
}

interface ProcessBytes {
  readonly residentBytes: number;
}

const vectorsSampled = 50;

/** A perception is enrolled, exported, deleted, imported elsewhere, and searched there by the same images. */
export async function carryPerception({ subjects, images, searches, log }: RoundTrip): Promise<TripFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-round-trip-'));
  // Each with a database of its own.
  const folderOf = (name: string) => ({ LYNCEUS_DATA_DIR: join(dir, name), LYNCEUS_DATABASE_URL: '' });
  const [here, there] = [folderOf('here'), folderOf('there')];
  const archive = join(dir, 'perception.tar');
  let service = await startService(here);
  try {
    const started = await memoryOf(service);
    const at: At = { service, modelId: await makePerception(service) };
    const enrolling = await time(() => enrol(at, subjects, images));
    await correct(at);
    const enrolled = await memoryOf(service);
    log(`${images} images of ${subjects.length} people in ${enrolling.seconds.toFixed(0)} s`);
    const before = await askSearches(at, subjects, searches);
    const exported = await measureCommand(['faces', 'export', String(at.modelId), archive], here);
    const { size: archiveBytes } = await stat(archive);
    log(`exported in ${exported.seconds.toFixed(1)} s`);

    const held = await readHoldings(here.LYNCEUS_DATA_DIR);
    const vectors = await sampleVectors(here.LYNCEUS_DATA_DIR, vectorsSampled);
    const readableBefore = await countReadable(here.LYNCEUS_DATA_DIR, vectors);
    const deleting = await time(() => removePerception(at));
    await searchIsRefused(at);
    const deleted = await memoryOf(service);
    await service.stop();
    const left = await readHoldings(here.LYNCEUS_DATA_DIR);
    const readableAfter = await countReadable(here.LYNCEUS_DATA_DIR, vectors);
    log(`deleted in ${deleting.seconds.toFixed(1)} s`);

    service = await startService(there);
    // Ids there are others.
    await makePerception(service);
    const imported = await measureCommand(['faces', 'import', archive], there);
    log(`imported in ${imported.seconds.toFixed(1)} s: ${imported.stdout}`);
    const modelId = Number(/ as (\d+):/.exec(imported.stdout)?.[1]);
    const after = await askSearches({ service, modelId }, subjects, searches);
    const arrived = await memoryOf(service);
    return {
      withoutFace: enrolling.result,
      enrolSeconds: enrolling.seconds,
      archiveBytes,
      exported,
      imported,
      deleteSeconds: deleting.seconds,
      held,
      receipt: deleting.result,
      left,
      readable: { before: readableBefore, after: readableAfter, of: vectors.length },
      arrived: await readHoldings(there.LYNCEUS_DATA_DIR),
      searches: before.length,
      hits: before.filter(({ isHit }) => isHit).length,
      different: before.flatMap((answer, number) => {
        const other = after[number];
        const isSame = other?.text === answer.text && other.imageSha256 === answer.imageSha256;
        return isSame ? [] : [`search ${number}: ${answer.text} and then ${other?.text}`];
      }),
      memory: { started, enrolled, deleted, arrived },
    };
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function removePerception({ service: { url, key }, modelId }: At) {
  return withVisitor(url, (visitor) => askFor(visitor, api(key, 'DELETE', `/api/perceptions/${modelId}`)));
}

async function searchIsRefused({ service: { url, key }, modelId }: At): Promise<void> {
  const path = `/predict/face?model_id=${modelId}&apikey=${key}`;
  await withVisitor(url, (visitor) => askFor(visitor, { method: 'POST', path }, '400 wrong_parameters'));
}

/** Of the serving process, then of those below it. */
async function memoryOf({ pid }: Pick<Service, 'pid'>): Promise<readonly ProcessBytes[]> {
  return (await usageOf(pid)).processes;
}

async function time<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedAt) / 1000 };
}
