import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';
import { compareFiles } from '#server/storage/identity/compare-files.js';
import { shippedSteps } from '#server/storage/migrations/migrations.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { readSweepSuspension } from '#server/storage/sweep-suspension.js';
import { startService } from '../service.js';
import type { Databases, Place } from './databases.js';
import { ageFiles, keptFiles, plantOrphan, topNames } from './kept-files.js';
import { type Prepared, prepare, serviceSettings } from './prepare.js';
import { type Mishap, mishaps, type Outcome } from './rows.js';

export interface RowResult {
  readonly database: Databases['kind'];
  readonly mishap: string;
  readonly expected: Outcome;
  readonly outcomes: readonly Outcome[];
  /** What the service said where it did not start. */
  readonly refusals: readonly string[];
  readonly filesBefore: number;
  readonly filesAfter: number;
  /** Files that rows named once, and that are in no place any more. */
  readonly deleted: readonly string[];
  /** What a refused start left beside them. */
  readonly created: readonly string[];
  /** Once the right database is back: rows whose file is gone. */
  readonly rowsWithoutFile: number;
}

/** Lets each mishap happen to a copy of an installation, starts the service on it, and counts files before and after. */
export async function runMatrix(
  dir: string,
  databases: Databases,
  onRow: (result: RowResult) => void = () => undefined,
): Promise<readonly RowResult[]> {
  const prepared = await prepare(dir, databases);
  const results: RowResult[] = [];
  const rows = mishaps.filter(({ only = databases.kind }) => only === databases.kind);
  for (const [index, mishap] of rows.entries()) {
    const result = await runRow(join(dir, `row-${index}`), databases, prepared, mishap);
    results.push(result);
    onRow(result);
  }
  return results;
}

async function runRow(
  dir: string,
  databases: Databases,
  prepared: Prepared,
  mishap: Mishap,
): Promise<RowResult> {
  const place = await copyPlace(databases, prepared.place, join(dir, 'data'));
  const other = await copyPlace(databases, prepared.other, join(dir, 'other'));
  const started = await mishap.happen({ databases, prepared, place, other });
  const lookedAt = new Set([place, other, ...started].map(({ dataDir }) => dataDir));
  const orphans = new Set<string>();
  if (mishap.expected === 'starts')
    for (const { dataDir } of started) orphans.add(join(dataDir, await plantOrphan(dataDir)));
  for (const dataDir of lookedAt) await ageFiles(dataDir).catch(() => undefined);

  const [files, names] = await look(lookedAt);
  const runs: { readonly outcome: Outcome; readonly refusal: string }[] = [];
  for (const each of started) runs.push(await startAndStop(databases, each));
  const [filesAfter, namesAfter] = await look(lookedAt);

  const before = files.filter((path) => !orphans.has(path));
  const outcomes = runs.map(({ outcome }) => outcome);
  // It did sweep: what nobody names is gone.
  const hasSwept = [...orphans].every((path) => !filesAfter.includes(path));
  await databases.putBack(place, prepared.current);
  return {
    ...{ database: databases.kind, mishap: mishap.name, expected: mishap.expected },
    outcomes: hasSwept ? outcomes : outcomes.map(() => 'suspended'),
    refusals: runs.map(({ refusal }) => refusal),
    filesBefore: before.length,
    filesAfter: filesAfter.filter((path) => !orphans.has(path)).length,
    deleted: before.filter((path) => !filesAfter.includes(path)),
    created: mishap.expected === 'refused' ? namesAfter.filter((name) => !names.includes(name)) : [],
    rowsWithoutFile: await countRowsWithoutFile(databases, place),
  };
}

async function copyPlace(databases: Databases, from: Place, dataDir: string): Promise<Place> {
  await cp(from.dataDir, dataDir, { recursive: true });
  // On SQLite the database came with the folder.
  const database = databases.kind === 'SQLite' ? '' : await databases.save(from);
  return { dataDir, database };
}

async function look(dataDirs: Iterable<string>): Promise<readonly [readonly string[], readonly string[]]> {
  const [files, names]: [string[], string[]] = [[], []];
  for (const dataDir of dataDirs) {
    files.push(...(await keptFiles(dataDir)).map((path) => join(dataDir, path)));
    names.push(...(await topNames(dataDir)).map((name) => join(dataDir, name)));
  }
  return [files, names];
}

/** Its stop waits for the sweep that its start began. */
async function startAndStop(
  databases: Databases,
  place: Place,
): Promise<{ readonly outcome: Outcome; readonly refusal: string }> {
  const settings = place.database === '' ? { LYNCEUS_DATABASE_URL: '' } : {};
  try {
    const service = await startService({ ...databases.settings(place), ...serviceSettings, ...settings });
    await service.stop();
  } catch (error) {
    const refusal = error instanceof Error ? error.message : String(error);
    if (!refusal.includes('do not belong together')) throw error;
    return { outcome: 'refused', refusal };
  }
  const suspension = await readSweepSuspension(dataFolder(place.dataDir), Date.now());
  return { outcome: suspension === null ? 'starts' : 'suspended', refusal: '' };
}

async function countRowsWithoutFile(databases: Databases, place: Place): Promise<number> {
  const folder = dataFolder(place.dataDir);
  const { LYNCEUS_DATABASE_URL: databaseUrl = '' } = databases.settings(place);
  const storage = await openCommandStorage(folder, { databaseUrl });
  try {
    const applied = new Set(Object.keys(shippedSteps));
    const { rows, named } = await compareFiles(storage.database.query, applied, folder);
    return rows - named;
  } finally {
    await storage.close();
  }
}
