import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { Spool } from '../../../intake/spool.js';
import { effectOf, type Finding } from '../findings.js';

/** Findings of one import that are kept in its file, and their bytes; those beyond are counted. */
const maxRows = 100_000;
const usualMaxBytes = 32 * 2 ** 20;
/** Characters of the name of a file; a path in a zip may have 4096. */
const maxFileLength = 500;
/** Rows that are written at once. */
const rowsAtOnce = 500;

export interface FindingsFileSize {
  readonly rows: number;
  readonly leftOut: number;
}

/** All findings of an import, a JSON object a line. */
export type FindingsFile = Awaited<ReturnType<typeof openFindingsFile>>;

const columns = ['problem', 'effect', 'file', 'image_id', 'labels', 'message'] as const;

export async function openFindingsFile(
  spool: Pick<Spool, 'createFile'>,
  { maxBytes = usualMaxBytes }: { readonly maxBytes?: number } = {},
) {
  const file = await spool.createFile();
  let lines: string[] = [];
  let written = Promise.resolve();
  let [rows, bytes, leftOut] = [0, 0, 0];
  const flush = () => {
    const text = Buffer.from(lines.join(''));
    lines = [];
    written = written.then(() => file.append([text]));
    // Whoever ends the file hears of it.
    written.catch(() => undefined);
  };
  return {
    add(finding: Finding) {
      const line = rows < maxRows ? toLine(finding) : '';
      const lineBytes = Buffer.byteLength(line);
      if (line === '' || bytes + lineBytes > maxBytes) {
        leftOut += 1;
        return;
      }
      rows += 1;
      bytes += lineBytes;
      lines.push(line);
      if (lines.length >= rowsAtOnce) flush();
    },
    /** Throws what went wrong when findings were written. */
    async end(): Promise<FindingsFileSize> {
      flush();
      await written;
      await file.close();
      return { rows, leftOut };
    },
    /** What was written, once it has ended. The file is opened when the stream is read. */
    read: (): Readable => Readable.from(piecesOf(file.path)),
    dispose: () => file.dispose(),
  };
}

async function* piecesOf(path: string): AsyncIterable<Buffer> {
  yield* createReadStream(path);
}

function toLine({ problem, file: name, imageId, labels, message }: Finding): string {
  const file = name?.slice(-maxFileLength) ?? null;
  const row = { problem, effect: effectOf(problem), file, image_id: imageId, labels, message };
  return `${JSON.stringify(row)}\n`;
}

/** The same as CSV. Cells that a spreadsheet would compute are texts. */
export function toCsv(lines: Readable): Readable {
  return Readable.from(csvOf(lines), { objectMode: false }).once('close', () => lines.destroy());
}

async function* csvOf(lines: Readable): AsyncIterable<string> {
  yield stringify([columns]);
  let batch: unknown[][] = [];
  const write = () => stringify(batch, { escape_formulas: true });
  for await (const line of createInterface({ input: lines, crlfDelay: Infinity })) {
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'object' || row === null) continue;
    batch.push(columns.map((column): unknown => Reflect.get(row, column)));
    if (batch.length < rowsAtOnce) continue;
    yield write();
    batch = [];
  }
  yield write();
}
