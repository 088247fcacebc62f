import type { AddedImage, LynceusClient } from '@lynceus/client';
import type { ChosenFile } from './dropped-files.js';

/** Images a request: few enough for frequent progress, and to end within the time limit. */
const filesPerRequest = 8;
const addressesPerRequest = 5;
const requestTimeoutMs = 600_000;

/** The images of one request, and the class by which they are labelled. */
export interface Batch {
  readonly label: string | undefined;
  readonly files: readonly File[];
  readonly urls: readonly string[];
}

/** Splits images into requests; all images of a request get the same class. */
export function planBatches(
  given: readonly ChosenFile[],
  urls: readonly string[],
  labelOf: (file: ChosenFile) => string | undefined,
  addressLabel: string | undefined,
): readonly Batch[] {
  const byLabel = new Map<string | undefined, File[]>();
  for (const one of given) {
    const label = labelOf(one);
    const files = byLabel.get(label) ?? [];
    files.push(one.file);
    byLabel.set(label, files);
  }
  return [
    ...[...byLabel].flatMap(([label, files]) =>
      parts(files, filesPerRequest).map((part) => ({ label, files: part, urls: [] })),
    ),
    ...parts(urls, addressesPerRequest).map((part) => ({ label: addressLabel, files: [], urls: part })),
  ];
}

/** Sends one request after the other, and reports each result as it arrives. Throws the error of a request. */
export async function sendBatches(
  client: LynceusClient,
  datasetId: number,
  batches: readonly Batch[],
  onVerdicts: (verdicts: readonly AddedImage[]) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const { label, files, urls } of batches) {
    signal.throwIfAborted();
    const options = { label, signal, timeoutMs: requestTimeoutMs };
    const { data } =
      files.length > 0
        ? await client.datasetImages.add(datasetId, files, options)
        : await client.datasetImages.fetch(datasetId, urls, options);
    onVerdicts(data);
  }
}

/** The addresses in a text, separated by lines, spaces or commas. */
export function readAddresses(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => /^https?:\/\/\S+/i.test(word)))];
}

function parts<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}
