import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { ImageVerdict } from '../perceptions/bulk/verdict.js';

/** A file with a line of JSON for each image. */
export interface VerdictReport {
  add(verdict: ImageVerdict): void;
  /** Throws when not all of it could be written. */
  close(): Promise<void>;
}

/** Throws when the file is there already or cannot be made. For its owner alone: it tells who is known. */
export async function openVerdictReport(path: string): Promise<VerdictReport> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    file.once('open', () => resolve()).once('error', (error) => reject(toReportError(path, error)));
  });
  const written = finished(file);
  // Told at the end; the images are added whether or not there is a report.
  written.catch(() => undefined);
  return {
    add({ path: image, person, verdict, imageId, advice }) {
      file.write(`${JSON.stringify({ path: image, person, verdict, image_id: imageId, advice })}\n`);
    },
    async close() {
      file.end();
      await written.catch((error: unknown) => {
        throw toReportError(path, error);
      });
    },
  };
}

function toReportError(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST') return new Error(`${path} is there already`, { cause: error });
  return new Error(`The report ${path} cannot be written (${String(code)})`, { cause: error });
}
