import type { AddedImage, LynceusClient } from '@lynceus/client';
import type { ChosenFile } from './dropped-files.js';

/** What is sent in one request: so few that its end is soon seen, and that it ends in time. */
const filesPerRequest = 8;
const addressesPerRequest = 5;
const requestTimeoutMs = 600_000;

/** What to send, and by what name images of it are labelled. */
export interface Batch {
  readonly label: string | undefined;
  readonly files: readonly File[];
  readonly urls: readonly string[];
}

/** Images in the order in which they are sent: of one request all show the same class. */
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

/** Sends them one request after the other; each verdict is reported as it arrives. Throws what a request throws. */
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

/** Addresses of images in a text: one a line, or with spaces between. */
export function readAddresses(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => /^https?:\/\/\S+/i.test(word)))];
}

function parts<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}
