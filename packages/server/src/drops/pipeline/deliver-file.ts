import { createHash } from 'node:crypto';
import { createDestination } from '../../delivery/create-destination.js';
import type { Delivery, DeliveryFile, DestinationDeps } from '../../delivery/destination.js';
import { fillPathTemplate, usualPathTemplate } from '../../delivery/path-template.js';
import type { Drop } from '../drop.js';
import type { Drops } from '../drops.js';
import { type FileBytes, withHeld } from '../files/file-bytes.js';
import { partId } from '../files/file-parts.js';
import type { FileRow } from '../files/file-rows.js';
import type { CircuitBreakers } from './circuit-breakers.js';
import { firstLabel, labelsOf } from './labels.js';
import { type Output, outputOf, sidecarNameOf } from './output.js';

export interface DeliverDeps {
  readonly bytes: FileBytes;
  readonly drops: Pick<Drops, 'destination' | 'keepHostKey'>;
  readonly destinationDeps: Omit<DestinationDeps, 'keepHostKey'>;
  readonly breakers: CircuitBreakers;
}

/**
 * Sends a file on. Answers where it is then; null where the drop has no destination, and `done` is where it stays.
 * @param isRepeated whether an earlier attempt may have come through
 */
export async function deliverFile(
  { bytes, drops, destinationDeps, breakers }: DeliverDeps,
  accountId: number,
  drop: Drop,
  row: FileRow,
  isRepeated: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const whole = await drops.destination(accountId, drop.id);
  if (whole === null) return null;
  const destination = createDestination(whole.settings, whole.secrets, {
    ...destinationDeps,
    keepHostKey: (fingerprint) => drops.keepHostKey(accountId, drop.id, fingerprint),
  });
  const template = whole.settings.path ?? usualPathTemplate;
  const mark = createHash('sha256').update(JSON.stringify(whole)).digest('base64');
  return withOutput(bytes, row, async (output, files) => {
    const delivery = toDelivery(drop, row, template, output, files, isRepeated);
    const { where } = await breakers.attempt({ accountId, dropId: drop.id }, mark, () =>
      destination.deliver(delivery, signal),
    );
    return where;
  });
}

type OutputFile = Output['files'][number] & { readonly path: string };

/** Works with the files to be sent, which are on this machine until it ends. */
async function withOutput<T>(
  bytes: Pick<FileBytes, 'hold'>,
  row: FileRow,
  work: (output: Output, files: readonly OutputFile[]) => Promise<T>,
): Promise<T> {
  const output = outputOf(row);
  if (output === null) throw new TypeError('the file was not written yet');
  const holdFrom = (held: readonly OutputFile[]): Promise<T> => {
    const next = output.files[held.length];
    if (next === undefined) return work(output, held);
    return withHeld(bytes, partId(row.id, next.part), (path) => holdFrom([...held, { ...next, path }]));
  };
  return holdFrom([]);
}

function toDelivery(
  drop: Drop,
  row: FileRow,
  template: string,
  output: Output,
  held: readonly OutputFile[],
  isRepeated: boolean,
): Delivery {
  const labels = labelsOf(row);
  const { folders, name } = fillPathTemplate(template, {
    date: new Date(output.takenMs),
    label: firstLabel(labels),
    drop: drop.name,
    folders: row.parent === '' ? [] : row.parent.split('/'),
    fileName: row.name,
  });
  const files = held.map(
    ({ part, ...file }): DeliveryFile => ({
      ...file,
      name: part === 'sidecar' ? sidecarNameOf(output, name) : name,
    }),
  );
  const { keywords, added, field } = output;
  const deliveredLabels = { file: row.name, fileid: row.fileid, ...labels, keywords, added, field };
  return { id: row.id, folders, files, labels: deliveredLabels, isRepeated };
}
