import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { DataFolder } from './data-folder.js';
import { syncFolder, writeDurably } from './durable-folder.js';
import { StorageError } from './storage-error.js';

const suspensionSchema = Type.Object({ untilMs: Type.Number(), reason: Type.String() });

/** Sweeps leave everything where it is until a time, in milliseconds since 1970. */
export type SweepSuspension = Static<typeof suspensionSchema>;

/** How long sweeps rest after a restore: time to notice that the wrong backup came back. */
export const restoreSuspensionMs = 24 * 3_600_000;

/** Suspends the sweeps of a data folder, also beside a running service. A later end that is set already is kept. */
export async function suspendSweeps(
  folder: Pick<DataFolder, 'sweepSuspensionPath'>,
  suspension: SweepSuspension,
  nowMs: number,
): Promise<void> {
  const current = await readSweepSuspension(folder, nowMs);
  if (current && current.untilMs >= suspension.untilMs) return;
  await writeDurably(folder.sweepSuspensionPath, `${JSON.stringify(suspension)}\n`);
}

/** The suspension in force; null when there is none or its time is over. */
export async function readSweepSuspension(
  folder: Pick<DataFolder, 'sweepSuspensionPath'>,
  nowMs: number,
): Promise<SweepSuspension | null> {
  const text = await readFile(folder.sweepSuspensionPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new StorageError('access', `${folder.sweepSuspensionPath} cannot be read (${error.message}).`, {
      cause: error,
    });
  });
  if (text === null) return null;
  const suspension = parseSuspension(text, folder.sweepSuspensionPath);
  return suspension.untilMs > nowMs ? suspension : null;
}

/** Lets sweeps run again at once. */
export async function resumeSweeps(folder: Pick<DataFolder, 'sweepSuspensionPath'>): Promise<void> {
  await rm(folder.sweepSuspensionPath, { force: true });
  await syncFolder(dirname(folder.sweepSuspensionPath));
}

/** @param path where it lies, for an operator */
export function parseSuspension(text: string, path: string): SweepSuspension {
  try {
    return Value.Parse(suspensionSchema, JSON.parse(text));
  } catch (error) {
    throw new StorageError('damaged', `${path} is damaged. Delete it to let sweeps run again.`, {
      cause: error,
    });
  }
}
