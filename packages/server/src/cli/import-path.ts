import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Dataset, DatasetTask } from '../datasets/dataset.js';
import type { FindingsReport } from '../datasets/findings.js';
import type { FormatName } from '../datasets/formats/plan.js';
import { importDataset } from '../datasets/import/import-dataset.js';
import type { CommandContext } from './context.js';
import type { Terminal } from './install-progress.js';
import { withStopSignal } from './stop-signal.js';
import type { Opened, withDatasets } from './with-domain.js';

type OpenDatasets = Opened<typeof withDatasets>;

export interface ImportPathOptions {
  readonly format?: FormatName;
  /** A dataset that there is; a new one unless given. */
  readonly into?: string;
  readonly task: DatasetTask;
  readonly name?: string;
  readonly multiLabel?: boolean;
}

/** Adds the images of a zip or folder to a dataset, and prints what was found. Ctrl-C keeps what was imported. */
export async function importPath(
  open: OpenDatasets,
  source: string,
  { into, name, task, multiLabel = false, format }: ImportPathOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<Dataset> {
  const { store, accountId } = open;
  const path = resolve(context.cwd, source);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`There is no file or folder ${source}`);
  const dataset =
    into === undefined
      ? await store.datasets.create(accountId, { name: name ?? basename(path, '.zip'), task, multiLabel })
      : await store.datasets.read(accountId, toDatasetId(into));
  const stopped = `Stopped. What was imported stays; to continue: datasets import ${source} --into ${dataset.id}`;
  try {
    const kind = found.isDirectory() ? 'folder' : 'zip';
    const report = await withStopSignal(stopped, (signal) =>
      importDataset(
        open,
        accountId,
        dataset,
        { kind, path },
        { format: format ?? null, sinceMs: Date.now(), signal, onProgress: showCount(terminal) },
      ),
    );
    printFindings(context, report);
    const { added, duplicates, refused } = report;
    context.print(
      `Dataset ${dataset.id} "${dataset.name}": ${added} images added, ${duplicates} already present, ${refused} refused (${report.format})`,
    );
    return dataset;
  } catch (error) {
    // A dataset that was made for nothing is in the way of the next try.
    if (into === undefined && (await store.images.count(accountId, dataset.id)) === 0) {
      await store.deletion.removeDataset(accountId, dataset.id);
      if (error instanceof Error && error.message === stopped)
        throw new Error('Stopped. Nothing was imported.', { cause: error });
    }
    throw error;
  }
}

export function toDatasetId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new Error(`${text} is not the number of a dataset; datasets list shows them`);
  return Number(text);
}

export function printFindings(context: CommandContext, { findings, leftOut }: FindingsReport): void {
  for (const { problem, file, message } of findings) {
    context.print([problem, file, message].filter((part) => part !== null).join(': '));
  }
  if (leftOut > 0) context.note(`and ${leftOut} more`);
  if (findings.length === 0) context.note('no findings');
}

const redrawMs = 100;

/** A line that is drawn again on a terminal; elsewhere one for every thousand images. */
function showCount(terminal: Terminal): (done: number, of: number) => void {
  let drawnMs = 0;
  return (done, of) => {
    const isLast = done === of;
    if (terminal.isTTY) {
      if (!isLast && Date.now() - drawnMs < redrawMs) return;
      drawnMs = Date.now();
      terminal.write(`\r\x1b[KImages ${done} of ${of}${isLast ? '\n' : ''}`);
    } else if (isLast || (done > 0 && done % 1000 === 0)) terminal.write(`images: ${done} of ${of}\n`);
  };
}
