import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogError } from '../catalog-error.js';
import type { CatalogEntry, Measured } from '../entry.js';
import type { Installer } from '../install.js';
import type { InstallOptions } from '../install-progress.js';
import type { Calibration, ModelManifest, ModelRef } from '../manifest.js';
import { withWritableFolder } from '../models-folder.js';
import type { ReadEntries } from '../read-entries.js';
import { checkNewId } from './check-id.js';
import { textProblem } from './check-texts.js';
import type { ConvertedUpload } from './convert-upload.js';
import { allotNumber } from './model-numbers.js';
import { obtainSource, shownSource } from './obtain-source.js';
import { type PublishedModel, publishAdded } from './publish-added.js';

/** Calibrated scores of a model that is being added. */
export interface FittedCalibration {
  /** Of a detector. */
  readonly calibration?: Calibration;
  /** Of a classifier. */
  readonly temperature?: number;
  /** How good the scores were before and are now. */
  readonly measured: readonly Measured[];
}

export interface AddRequest {
  readonly id: string;
  /** The id unless given. */
  readonly title?: string | undefined;
  /** An https address, or an absolute path. */
  readonly from: string;
  /** What the file must have. */
  readonly sha256?: string | undefined;
  /** `stated`: an SPDX identifier or the name of a licence. */
  readonly licence: { readonly stated: string; readonly text?: string | undefined };
  /** Import options, checked by the conversion. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly maxBytes: number;
  /** Fits the scores of the converted model before it is stored; where it throws, nothing is. */
  readonly calibrate?: ((ref: ModelRef, manifest: ModelManifest) => Promise<FittedCalibration>) | undefined;
}

export interface AddOutcome extends PublishedModel, Pick<ConvertedUpload, 'format' | 'notes' | 'trial'> {}

/**
 * Adds a detector or classifier of a known family to the models folder, for every service that uses the folder. The file is
 * treated as hostile until the trial is passed. The model exists completely or not at all.
 * @param readModels The models of the catalogue, read under the lock: another process may have added one.
 */
export async function addModel(
  request: AddRequest,
  { folder, fetch, convertUpload, reservedIds }: Installer,
  { onProgress = () => undefined, signal = new AbortController().signal }: InstallOptions,
  readModels: () => Promise<ReadEntries>,
): Promise<AddOutcome> {
  const { id, from } = request;
  checkRequest(request);
  // Before the lock too: who waits for it shall not wait in vain.
  checkNewId(id, { models: [], leftOut: [] }, reservedIds);
  const { layout } = folder;
  const report = (
    stage: 'waiting' | 'fetching' | 'converting' | 'installed',
    bytesDone = 0,
    bytesTotal = 0,
  ) => onProgress({ model: id, stage, bytesDone, bytesTotal });
  return withWritableFolder(folder, { onWait: () => report('waiting'), signal }, async () => {
    const entries = await readModels();
    checkNewId(id, entries, reservedIds);
    const work = join(layout.scratch, randomUUID());
    await mkdir(work);
    try {
      const sourcePath = join(work, 'source');
      report('fetching');
      const { source, name } = await obtainSource({
        ...request,
        path: sourcePath,
        fetch,
        signal,
        onBytes: (done, total) => report('fetching', done, total),
      });
      const outDir = join(work, 'converted');
      report('converting');
      const converted = await convertUpload(
        {
          id,
          title: titleOf(request),
          file: { name, path: sourcePath },
          options: request.options,
          maxFileBytes: request.maxBytes,
          outDir,
        },
        signal,
      ).catch((error: unknown) => {
        signal.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        throw new CatalogError(`${shownSource(from)} cannot be added: ${reason}`, id, { cause: error });
      });
      const { manifest } = converted;
      checkFamily(manifest, id);
      const fitted = await request.calibrate?.({ id, version: manifest.version, dir: outDir }, manifest);
      const entry = composeEntry(
        request,
        source,
        converted,
        fitted,
        await allotNumber(layout, id, entries.models),
      );
      const graphPath = join(outDir, 'model.onnx');
      const published = await publishAdded(
        { entry, labels: manifest.labels, sourcePath, graphPath },
        layout,
        signal,
      );
      report('installed');
      return { ...published, ...converted };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

function checkRequest({ sha256, title, licence }: AddRequest): void {
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
    throw new CatalogError('A SHA-256 has 64 hexadecimal digits');
  }
  const problem = textProblem({ title, licence });
  if (problem !== undefined)
    throw new CatalogError(`${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}`);
}

function titleOf({ id, title }: AddRequest): string {
  return title?.trim() ?? id;
}

function checkFamily({ family }: ModelManifest, id: string): void {
  if (family === 'detector' || family === 'classifier') return;
  throw new CatalogError(`${id} is an ${family}; models add takes detectors and classifiers`, id);
}

function composeEntry(
  request: AddRequest,
  source: CatalogEntry['source'],
  { manifest, format, notes }: ConvertedUpload,
  fitted: FittedCalibration | undefined,
  modelId: number,
): CatalogEntry {
  const { id, from, licence, options } = request;
  const { family, input, labels } = manifest;
  const [file] = source.files;
  const calibration = fitted?.calibration ?? manifest.calibration;
  return {
    id,
    title: titleOf(request),
    summary: `A ${family} of ${labels.length} classes that the operator of this installation added.`,
    family,
    default: false,
    source,
    licence: {
      stated: licence.stated.trim(),
      by: 'As the operator who added the model states it.',
      ...(licence.text !== undefined && { text: licence.text }),
    },
    provenance: {
      known: [`The file is ${shownSource(from)} (${format}), with SHA-256 ${file?.sha256 ?? ''}.`, ...notes],
      // The figures of a calibration are of the operator's images, and no others.
      unknown: fitted
        ? [
            'What it was trained on.',
            'Its accuracy on other images than those that its scores were fitted to.',
          ]
        : ['What it was trained on, and its accuracy: it was not measured for this catalogue.'],
    },
    labels: `${id}.json`,
    input,
    recipe: { importer: 'upload', file: file?.name ?? '', options },
    modelId,
    ...(calibration && { calibration }),
    ...(fitted?.temperature && { temperature: fitted.temperature }),
    measured: [...(fitted?.measured ?? [])],
  };
}
