import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';
import { compareFiles } from '#server/storage/identity/compare-files.js';
import { shippedSteps } from '#server/storage/migrations/migrations.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { readSweepSuspension } from '#server/storage/sweep-suspension.js';
import { ageFiles } from '../kill/age-files.js';
import { untilTrue } from '../kill/until.js';
import type { Databases, Installation } from './databases.js';
import { keptFiles, plantOrphan, topNames } from './kept-files.js';
import { type Prepared, prepare, serviceSettings } from './prepare.js';
import { type DataFault, dataFaults, type Outcome } from './rows.js';

export interface RowResult {
  readonly database: Databases['kind'];
  readonly dataFault: string;
  readonly expected: Outcome;
  readonly outcomes: readonly Outcome[];
  /** The service's error where it did not start. */
  readonly refusals: readonly string[];
  readonly filesBefore: number;
  readonly filesAfter: number;
  /** Files that rows named once, and that do not exist any more. */
  readonly deleted: readonly string[];
  /** Files that a refused start left behind. */
  readonly created: readonly string[];
  /** Once the right database is back: rows whose file is gone. */
  readonly rowsWithoutFile: number;
}

export type StartService = (settings: Readonly<Record<string, string>>) => Promise<{ stop(): Promise<void> }>;

/** On a busy machine. */
const sweptWithinMs = 60_000;

/**
 * Applies each mishap to a copy of an installation, starts the service on it, and counts files before and after.
 * @param start of a service with these settings; rejects where it refuses to start
 * @param isWanted Of the mishaps that can happen to these databases; all unless given.
 */
export async function runMatrix(
  dir: string,
  databases: Databases,
  start: StartService,
  isWanted: (dataFault: DataFault) => boolean = () => true,
): Promise<readonly RowResult[]> {
  const prepared = await prepare(dir, databases);
  const results: RowResult[] = [];
  const possible = dataFaults.filter(({ only = databases.kind }) => only === databases.kind);
  const rows = possible.filter(isWanted);
  for (const [index, dataFault] of rows.entries()) {
    results.push(await runRow(join(dir, `row-${index}`), { databases, start, prepared }, dataFault));
  }
  return results;
}

async function runRow(
  dir: string,
  { databases, start, prepared }: { databases: Databases; start: StartService; prepared: Prepared },
  dataFault: DataFault,
): Promise<RowResult> {
  const installation = await copyInstallation(databases, prepared.installation, join(dir, 'data'));
  const other = await copyInstallation(databases, prepared.other, join(dir, 'other'));
  const started = await dataFault.happen({ databases, prepared, installation, other });
  const lookedAt = new Set([installation, other, ...started].map(({ dataDir }) => dataDir));
  const orphans = new Set<string>();
  if (dataFault.expected === 'starts')
    for (const { dataDir } of started) orphans.add(join(dataDir, await plantOrphan(dataDir)));
  await ageFiles([...lookedAt], (name) => !/^(lock|lynceus)\.db/.test(name));

  const [files, names] = await look(lookedAt);
  const runs: { readonly outcome: Outcome; readonly refusal: string }[] = [];
  const hasSwept = async () => [...orphans].every((path) => !existsSync(path));
  for (const each of started) runs.push(await startAndStop(databases, start, each, hasSwept));
  const [filesAfter, namesAfter] = await look(lookedAt);

  const before = files.filter((path) => !orphans.has(path));
  const outcomes = runs.map(({ outcome }) => outcome);
  await databases.putBack(installation, prepared.current);
  return {
    database: databases.kind,
    dataFault: dataFault.name,
    expected: dataFault.expected,
    outcomes: (await hasSwept()) ? outcomes : outcomes.map(() => 'suspended'),
    refusals: runs.map(({ refusal }) => refusal),
    filesBefore: before.length,
    filesAfter: filesAfter.filter((path) => !orphans.has(path)).length,
    deleted: before.filter((path) => !filesAfter.includes(path)),
    created: dataFault.expected === 'refused' ? namesAfter.filter((name) => !names.includes(name)) : [],
    rowsWithoutFile: await countRowsWithoutFile(databases, installation),
  };
}

async function copyInstallation(
  databases: Databases,
  from: Installation,
  dataDir: string,
): Promise<Installation> {
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

/** @param hasSwept whether the files without a row are deleted, if there are any */
async function startAndStop(
  databases: Databases,
  start: StartService,
  installation: Installation,
  hasSwept: () => Promise<boolean>,
): Promise<{ readonly outcome: Outcome; readonly refusal: string }> {
  const settings = installation.database === '' ? { LYNCEUS_DATABASE_URL: '' } : {};
  try {
    const service = await start({ ...databases.settings(installation), ...serviceSettings, ...settings });
    // On PostgreSQL it sweeps once it leads. Its stop waits for the sweep that its start began.
    await untilTrue(hasSwept, sweptWithinMs);
    await service.stop();
  } catch (error) {
    const refusal = error instanceof Error ? error.message : String(error);
    if (!/do not belong together|was never registered/.test(refusal)) throw error;
    return { outcome: 'refused', refusal };
  }
  const suspension = await readSweepSuspension(dataFolder(installation.dataDir), Date.now());
  return { outcome: suspension === null ? 'starts' : 'suspended', refusal: '' };
}

async function countRowsWithoutFile(databases: Databases, installation: Installation): Promise<number> {
  const folder = dataFolder(installation.dataDir);
  const { LYNCEUS_DATABASE_URL: databaseUrl = '' } = databases.settings(installation);
  const storage = await openCommandStorage(folder, { databaseUrl });
  try {
    const applied = new Set(Object.keys(shippedSteps));
    const { rows, named } = await compareFiles(storage.database.query, applied, folder);
    return rows - named;
  } finally {
    await storage.close();
  }
}
