import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Dataset, DatasetTask } from '../training/datasets/dataset.js';
import type { Finding, FindingsReport } from '../training/datasets/findings.js';
import type { ReadableFormat } from '../training/datasets/formats/plan.js';
import { type FindingsFile, openFindingsFile, toCsv } from '../training/datasets/import/findings-file.js';
import { importDataset } from '../training/datasets/import/import-dataset.js';
import type { CommandContext } from './context.js';
import type { Terminal } from './install-progress.js';
import { withStopSignal } from './stop-signal.js';
import type { Opened, withDatasets } from './with-domain.js';

type OpenDatasets = Opened<typeof withDatasets>;

export interface ImportPathOptions {
  readonly format?: ReadableFormat;
  /** A dataset that there is; a new one unless given. */
  readonly into?: string;
  readonly task: DatasetTask;
  readonly name?: string;
  readonly multiLabel?: boolean;
  /** A new file for all findings: CSV, or JSON lines when its name ends in .jsonl. */
  readonly report?: string;
}

/** Adds the images of a zip or folder to a dataset, and prints what was found. Ctrl-C keeps what was imported. */
export async function importPath(
  open: OpenDatasets,
  source: string,
  { into, name, task, multiLabel = false, format, report: reportFile }: ImportPathOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<Dataset> {
  const { store, accountId } = open;
  const path = resolve(context.cwd, source);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`There is no file or folder ${source}`);
  const reportPath = reportFile === undefined ? null : resolve(context.cwd, reportFile);
  if (reportPath !== null && (await stat(reportPath).catch(() => undefined))) {
    throw new Error(`${reportFile} already exists`);
  }
  const dataset =
    into === undefined
      ? await store.datasets.create(accountId, { name: name ?? basename(path, '.zip'), task, multiLabel })
      : await store.datasets.read(accountId, toDatasetId(into));
  const stopped = `Stopped. What was imported stays; to continue: datasets import ${source} --into ${dataset.id}`;
  const findings = await openFindingsFile(open.spool);
  try {
    const kind = found.isDirectory() ? 'folder' : 'zip';
    const report = await withStopSignal(stopped, (signal) =>
      importDataset(
        open,
        accountId,
        dataset,
        { kind, path },
        {
          format: format ?? null,
          sinceMs: Date.now(),
          signal,
          onFinding: findings.add,
          onProgress: showCount(terminal),
        },
      ),
    );
    if (reportPath !== null) await writeReport(findings, reportPath);
    printKinds(context, report, reportFile);
    const { added, duplicates, refused, labels } = report;
    context.print(
      `Dataset ${dataset.id} "${dataset.name}": ${added} images added, ${duplicates} already present, ${refused} refused (${report.format})`,
    );
    const others = [
      `${labels.changed} of them changed`,
      `${labels.refused} refused`,
      `${labels.present} already present`,
    ];
    context.print(`Labels: ${labels.read} read, ${labels.taken} taken, ${others.join(', ')}`);
    return dataset;
  } catch (error) {
    // A dataset that was made for nothing is in the way of the next try.
    if (into === undefined && (await store.images.count(accountId, dataset.id)) === 0) {
      await store.deletion.removeDataset(accountId, dataset.id);
      if (error instanceof Error && error.message === stopped)
        throw new Error('Stopped. Nothing was imported.', { cause: error });
    }
    throw error;
  } finally {
    await findings.dispose();
  }
}

async function writeReport(findings: FindingsFile, path: string): Promise<void> {
  await findings.end();
  const lines = /\.jsonl$/i.test(path) ? findings.read() : toCsv(findings.read());
  await pipeline(lines, createWriteStream(path, { flags: 'wx' }));
}

const headings = { refused: 'Refused', changed: 'Changed', notice: 'To look at' } as const;

/** What was found by problem, each with three examples. */
function printKinds(
  context: CommandContext,
  { kinds }: FindingsReport,
  reportFile: string | undefined,
): void {
  for (const { problem, effect, findings, labels, examples } of kinds) {
    const count = labels > 0 ? `${labels} ${labels === 1 ? 'label' : 'labels'}` : String(findings);
    context.print(`${headings[effect]}: ${problem} (${count})`);
    for (const example of examples) context.print(`  ${describe(example)}`);
    if (findings > examples.length) context.print(`  and ${findings - examples.length} more`);
  }
  if (kinds.length === 0) context.note('no findings');
  else if (reportFile === undefined) context.note('--report FILE writes all of them into a file');
  else context.note(`${reportFile} has all of them`);
}

function describe({ file, message }: Pick<Finding, 'file' | 'message'>): string {
  return file === null ? message : `${file}: ${message}`;
}

export function toDatasetId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new Error(`${text} is not the number of a dataset; datasets list shows them`);
  return Number(text);
}

export function printFindings(context: CommandContext, { findings, leftOut }: FindingsReport): void {
  for (const { problem, ...finding } of findings) context.print(`${problem}: ${describe(finding)}`);
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
