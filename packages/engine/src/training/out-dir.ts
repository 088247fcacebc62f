import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { syncFolder, writeSynced } from '../catalog/durable-file.js';
import { ModelManifest, type ModelRef } from '../catalog/manifest.js';

const names = ['model.onnx', 'manifest.json', 'report.json'] as const;

/** Creates the folder of an outcome, or removes files of an earlier training run. */
export async function emptyOutDir(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await Promise.all(names.map((name) => rm(join(dir, name), { force: true })));
}

interface TrainedModel {
  readonly model: Uint8Array;
  /** Its id is `trained` and its version follows from the model's bytes. */
  readonly manifest: Omit<ModelManifest, 'id' | 'version'>;
}

/** Writes `model.onnx` and `manifest.json`; durable once `writeReport` has returned. */
export async function writeTrained(dir: string, { model, manifest }: TrainedModel): Promise<ModelRef> {
  await emptyOutDir(dir);
  const ref = { id: 'trained', version: createHash('sha256').update(model).digest('hex').slice(0, 12), dir };
  await writeSynced(join(dir, 'model.onnx'), model);
  const whole: ModelManifest = { id: ref.id, version: ref.version, ...manifest };
  await writeSynced(join(dir, 'manifest.json'), JSON.stringify(whole));
  return ref;
}

/** Writes `report.json`, the last of the files. */
export async function writeReport(dir: string, report: unknown): Promise<void> {
  await writeSynced(join(dir, 'report.json'), JSON.stringify(report));
  await syncFolder(dir);
}

/** The model in the folder of an outcome. */
export async function readTrained(dir: string): Promise<ModelRef> {
  const manifest = Value.Parse(ModelManifest, JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')));
  return { id: manifest.id, version: manifest.version, dir };
}
