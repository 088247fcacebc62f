import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeSynced } from '../catalog/durable-file.js';
import type { ModelManifest } from '../catalog/manifest.js';

const names = ['model.onnx', 'manifest.json', 'report.json'] as const;

/** Makes the folder of an outcome, or removes what an earlier training left in it. */
export async function emptyOutDir(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await Promise.all(names.map((name) => rm(join(dir, name), { force: true })));
}

export interface TrainedFiles {
  readonly model: Uint8Array;
  readonly manifest: ModelManifest;
  readonly report: unknown;
}

/** Writes an outcome; on disk for good when this resolves. */
export async function writeOutcome(dir: string, { model, manifest, report }: TrainedFiles): Promise<void> {
  await emptyOutDir(dir);
  await writeSynced(join(dir, 'model.onnx'), model);
  await writeSynced(join(dir, 'manifest.json'), JSON.stringify(manifest));
  await writeSynced(join(dir, 'report.json'), JSON.stringify(report));
  await syncFolder(dir);
}
